-- kind: what a post does, '' for one that says what its payload holds. Before, the payload
-- of the others was the word.
ALTER TABLE outbox ADD COLUMN kind TEXT NOT NULL DEFAULT '';

--bun:split

UPDATE outbox SET kind = payload, payload = '' WHERE payload IN ('erased', 'closed', 'retried', 'title');
