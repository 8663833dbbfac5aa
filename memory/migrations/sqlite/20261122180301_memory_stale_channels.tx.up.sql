ALTER TABLE channels ADD COLUMN stale BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
CREATE INDEX channels_stale ON channels (stale) WHERE stale = TRUE;
