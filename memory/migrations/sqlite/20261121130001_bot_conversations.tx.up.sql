-- What the platform calls the messages an answer of ours was posted as: one
-- answer may take several.
CREATE TABLE posts (
    channel_id  BIGINT NOT NULL,
    platform_id TEXT   NOT NULL,
    message_id  BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    PRIMARY KEY (channel_id, platform_id)
);

--bun:split

CREATE INDEX posts_message ON posts (message_id);

--bun:split

-- Messages that were deleted before they arrived.
CREATE TABLE tombstones (
    platform    TEXT   NOT NULL,
    workspace   TEXT   NOT NULL,
    channel     TEXT   NOT NULL,
    platform_id TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (platform, workspace, channel, platform_id)
);

--bun:split

-- joined: we were asked for an answer in it. Inbox rows that say so are purged.
ALTER TABLE sessions ADD COLUMN joined BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

UPDATE sessions SET joined = TRUE WHERE id IN (SELECT session_id FROM inbox WHERE answer);

--bun:split

DROP INDEX inbox_answer;

--bun:split

CREATE INDEX files_document ON files (document_id) WHERE document_id > 0;

--bun:split

CREATE INDEX outbox_message ON outbox (message_id) WHERE message_id > 0;
