-- unheard is TRUE of a channel from when we came back to it until its platform was asked for what was edited and
-- deleted while we were out.
ALTER TABLE channels ADD COLUMN unheard BOOLEAN NOT NULL DEFAULT FALSE;
