-- The durable queue between a platform and a turn, and back.

CREATE TABLE inbox (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        BIGINT NOT NULL,
    platform   TEXT   NOT NULL,
    event_id   TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    message_id BIGINT NOT NULL DEFAULT 0,
    answer     BOOLEAN NOT NULL DEFAULT FALSE,
    payload    TEXT   NOT NULL DEFAULT '',
    state      TEXT   NOT NULL,
    attempts   BIGINT NOT NULL DEFAULT 0,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    done_at    BIGINT NOT NULL DEFAULT 0,
    UNIQUE (platform, event_id),
    UNIQUE (session_id, seq)
);

--bun:split

CREATE INDEX inbox_open ON inbox (session_id, seq) WHERE state = 'new';

--bun:split

CREATE INDEX inbox_message ON inbox (message_id) WHERE message_id > 0;

--bun:split

CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    inbox_id   BIGINT NOT NULL DEFAULT 0,
    message_id BIGINT NOT NULL DEFAULT 0,
    nonce      TEXT   NOT NULL UNIQUE,
    state      TEXT   NOT NULL,
    ref        TEXT   NOT NULL DEFAULT '',
    payload    TEXT   NOT NULL DEFAULT '',
    attempts   BIGINT NOT NULL DEFAULT 0,
    next_at    BIGINT NOT NULL DEFAULT 0,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    done_at    BIGINT NOT NULL DEFAULT 0
);

--bun:split

CREATE INDEX outbox_open ON outbox (next_at) WHERE state <> 'done';

--bun:split

CREATE INDEX outbox_inbox ON outbox (inbox_id);

--bun:split

CREATE TABLE questions (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id     BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    interaction_id BIGINT NOT NULL REFERENCES interactions (id) ON DELETE CASCADE,
    message_id     BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    person_id      BIGINT NOT NULL,
    token          TEXT   NOT NULL UNIQUE,
    text           TEXT   NOT NULL,
    options        TEXT   NOT NULL,
    state          TEXT   NOT NULL,
    answer         TEXT   NOT NULL DEFAULT '',
    created_at     BIGINT NOT NULL,
    answered_at    BIGINT NOT NULL DEFAULT 0
);

--bun:split

CREATE INDEX questions_open ON questions (session_id) WHERE state = 'open';
