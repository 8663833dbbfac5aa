-- Whether everybody of the workspace could read a channel at some time: what was said in it
-- may have been told elsewhere.
ALTER TABLE channels ADD COLUMN was_public BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

UPDATE channels SET was_public = TRUE WHERE kind = 'public';
