ALTER TABLE channels ADD COLUMN unchecked BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
CREATE INDEX channels_unchecked ON channels (unchecked) WHERE unchecked = TRUE;
