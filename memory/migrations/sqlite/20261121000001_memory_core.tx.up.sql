-- People, channels, sessions and everything that is said in them.
-- Times are milliseconds since 1970 UTC; order is always by integer key.

CREATE TABLE people (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    platform    TEXT    NOT NULL,
    workspace   TEXT    NOT NULL,
    platform_id TEXT    NOT NULL,
    name        TEXT    NOT NULL DEFAULT '',
    kind        TEXT    NOT NULL DEFAULT 'human',
    admin       BOOLEAN NOT NULL DEFAULT FALSE,
    time_zone   TEXT    NOT NULL DEFAULT '',
    created_at  BIGINT  NOT NULL,
    UNIQUE (platform, workspace, platform_id)
);

--bun:split

CREATE TABLE channels (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    platform   TEXT    NOT NULL,
    workspace  TEXT    NOT NULL,
    channel    TEXT    NOT NULL,
    name       TEXT    NOT NULL DEFAULT '',
    kind       TEXT    NOT NULL,
    external   BOOLEAN NOT NULL DEFAULT FALSE,
    updated_at BIGINT  NOT NULL,
    UNIQUE (platform, workspace, channel)
);

--bun:split

-- A session also carries its queue: seq numbers its inbox rows, pending counts
-- those still to be answered, ready_at is when a worker may next claim it.
CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id    BIGINT NOT NULL REFERENCES channels (id),
    platform      TEXT   NOT NULL,
    workspace     TEXT   NOT NULL,
    channel       TEXT   NOT NULL,
    thread        TEXT   NOT NULL,
    title         TEXT   NOT NULL DEFAULT '',
    watermark     BIGINT NOT NULL DEFAULT 0,
    backfilled_at BIGINT NOT NULL DEFAULT 0,
    seq           BIGINT NOT NULL DEFAULT 0,
    pending       BIGINT NOT NULL DEFAULT 0,
    ready_at      BIGINT NOT NULL DEFAULT 0,
    lease_owner   TEXT   NOT NULL DEFAULT '',
    lease_epoch   BIGINT NOT NULL DEFAULT 0,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    UNIQUE (platform, workspace, channel, thread)
);

--bun:split

CREATE INDEX sessions_ready ON sessions (ready_at) WHERE pending > 0;

--bun:split

CREATE INDEX sessions_channel ON sessions (channel_id);

--bun:split

CREATE TABLE settings (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, name)
);

--bun:split

CREATE TABLE interactions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    person_id  BIGINT NOT NULL DEFAULT 0,
    state      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    closed_at  BIGINT NOT NULL DEFAULT 0
);

--bun:split

CREATE INDEX interactions_session ON interactions (session_id, id);

--bun:split

CREATE TABLE messages (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id     BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    channel_id     BIGINT NOT NULL,
    interaction_id BIGINT NOT NULL REFERENCES interactions (id) ON DELETE CASCADE,
    person_id      BIGINT NOT NULL DEFAULT 0,
    role           TEXT   NOT NULL,
    author         TEXT   NOT NULL DEFAULT '',
    text           TEXT   NOT NULL,
    terms          TEXT   NOT NULL DEFAULT '',
    tokens         BIGINT NOT NULL,
    rev            BIGINT NOT NULL DEFAULT 1,
    platform_id    TEXT   NOT NULL,
    reply_to       BIGINT NOT NULL DEFAULT 0,
    at             BIGINT NOT NULL,
    erased_at      BIGINT NOT NULL DEFAULT 0,
    erased_by      BIGINT NOT NULL DEFAULT 0,
    UNIQUE (session_id, platform_id)
);

--bun:split

-- Covers the sums of the compaction rule, which runs with every stored message.
CREATE INDEX messages_session ON messages (session_id, id, interaction_id, tokens);

--bun:split

CREATE INDEX messages_interaction ON messages (interaction_id);

--bun:split

CREATE INDEX messages_platform ON messages (channel_id, platform_id);

--bun:split

-- Full text over our own terms. scope holds "c<channel> s<session>" so that a
-- query can narrow before it joins; visibility itself is decided by the join.
-- The tokenizer splits at spaces only: a term may hold any letter and, in a number, a point.
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    terms, scope,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '.'"
);

--bun:split

INSERT INTO messages_fts (messages_fts, rank) VALUES ('secure-delete', 1);

--bun:split

CREATE VIRTUAL TABLE messages_vocab USING fts5vocab (messages_fts, 'row');

--bun:split

CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages WHEN new.terms <> '' BEGIN
    INSERT INTO messages_fts (rowid, terms, scope)
    VALUES (new.id, new.terms, 'c' || new.channel_id || ' s' || new.session_id);
END;

--bun:split

CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages WHEN old.terms <> '' BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id;
END;

--bun:split

CREATE TRIGGER messages_fts_update AFTER UPDATE OF terms ON messages BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id;
    INSERT INTO messages_fts (rowid, terms, scope)
    SELECT new.id, new.terms, 'c' || new.channel_id || ' s' || new.session_id WHERE new.terms <> '';
END;

--bun:split

-- Earlier texts of edited messages; the current text is in messages.
CREATE TABLE revisions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    rev        BIGINT NOT NULL,
    text       TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    UNIQUE (message_id, rev)
);

--bun:split

-- What was read of each user message; the JSON is memory.Understanding.
CREATE TABLE understandings (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    json       TEXT   NOT NULL
);

--bun:split

-- The bookkeeping of each assistant message; the JSON is memory.Ledger.
CREATE TABLE ledgers (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    json       TEXT   NOT NULL
);

--bun:split

CREATE TABLE feedback (
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    person_id  BIGINT NOT NULL,
    value      TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (message_id, person_id)
);
