-- What a platform did not show where it was to be: a message, without platform_id all of a
-- thread or channel, without a channel the workspace. It is erased once that many looks
-- (needs) have found it gone, and not before until. told: the platform said that we were removed.
CREATE TABLE suspicions (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    platform    TEXT    NOT NULL,
    workspace   TEXT    NOT NULL,
    channel     TEXT    NOT NULL,
    thread      TEXT    NOT NULL,
    platform_id TEXT    NOT NULL,
    told        BOOLEAN NOT NULL,
    looks       BIGINT  NOT NULL,
    needs       BIGINT  NOT NULL,
    until       BIGINT  NOT NULL,
    next_at     BIGINT  NOT NULL,
    created_at  BIGINT  NOT NULL,
    UNIQUE (platform, workspace, channel, thread, platform_id)
);

--bun:split

CREATE INDEX suspicions_next ON suspicions (next_at);

--bun:split

-- What goes with a session is looked up by it when the session is deleted.
CREATE INDEX outbox_session ON outbox (session_id);

--bun:split

CREATE INDEX questions_session ON questions (session_id);

--bun:split

CREATE INDEX files_session ON files (session_id);
