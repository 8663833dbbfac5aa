-- document_id: the document that a post shows a page of, 0 for other posts.
ALTER TABLE outbox ADD COLUMN document_id BIGINT NOT NULL DEFAULT 0;

--bun:split

CREATE INDEX outbox_document ON outbox (document_id) WHERE document_id > 0;
