-- Segments, facts and snapshots: derived from messages, never from one another's text.
-- from_id and to_id are ids of the session's own first and last message in the segment;
-- the next segment begins at the session's next message.

CREATE TABLE segments (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id     BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    from_id        BIGINT NOT NULL,
    to_id          BIGINT NOT NULL,
    messages       BIGINT NOT NULL,
    narrative      TEXT   NOT NULL,
    tokens         BIGINT NOT NULL,
    source_hash    TEXT   NOT NULL,
    method         TEXT   NOT NULL,
    model          TEXT   NOT NULL DEFAULT '',
    prompt_version TEXT   NOT NULL DEFAULT '',
    stale          BOOLEAN NOT NULL DEFAULT FALSE,
    created_at     BIGINT NOT NULL,
    UNIQUE (session_id, from_id)
);

--bun:split

CREATE TABLE facts (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id    BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    channel_id    BIGINT NOT NULL,
    segment_id    BIGINT NOT NULL DEFAULT 0,
    person_id     BIGINT NOT NULL DEFAULT 0,
    kind          TEXT   NOT NULL,
    subject       TEXT   NOT NULL DEFAULT '',
    slot          TEXT   NOT NULL DEFAULT '',
    text          TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    origin        TEXT   NOT NULL,
    asserted_at   BIGINT NOT NULL,
    valid_to      BIGINT NOT NULL DEFAULT 0,
    superseded_by BIGINT NOT NULL DEFAULT 0,
    recorded_at   BIGINT NOT NULL
);

--bun:split

CREATE INDEX facts_session ON facts (session_id, id);

--bun:split

CREATE INDEX facts_segment ON facts (segment_id);

--bun:split

CREATE TABLE fact_sources (
    fact_id    BIGINT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    rev        BIGINT NOT NULL,
    quote      TEXT   NOT NULL,
    PRIMARY KEY (fact_id, message_id)
);

--bun:split

CREATE INDEX fact_sources_message ON fact_sources (message_id);

--bun:split

CREATE TABLE snapshots (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    version    BIGINT NOT NULL,
    watermark  BIGINT NOT NULL,
    json       TEXT   NOT NULL,
    rendered   TEXT   NOT NULL,
    tokens     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (session_id, version)
);

--bun:split

-- One row per compaction: the work item while it is due, the record once it is done.
-- kind is fold (older messages become segments) or rebuild (stale segments are made
-- again). next_at is when it may be claimed: the end of a lease or of a pause.
CREATE TABLE compactions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id    BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    from_id       BIGINT NOT NULL DEFAULT 0,
    to_id         BIGINT NOT NULL DEFAULT 0,
    kind          TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    method        TEXT   NOT NULL DEFAULT '',
    attempts      BIGINT NOT NULL DEFAULT 0,
    next_at       BIGINT NOT NULL DEFAULT 0,
    lease_owner   TEXT   NOT NULL DEFAULT '',
    lease_epoch   BIGINT NOT NULL DEFAULT 0,
    tokens_before BIGINT NOT NULL DEFAULT 0,
    tokens_after  BIGINT NOT NULL DEFAULT 0,
    error         TEXT   NOT NULL DEFAULT '',
    created_at    BIGINT NOT NULL,
    done_at       BIGINT NOT NULL DEFAULT 0
);

--bun:split

CREATE UNIQUE INDEX compactions_open ON compactions (session_id) WHERE state = 'due';

--bun:split

CREATE INDEX compactions_ready ON compactions (next_at, id) WHERE state = 'due';

--bun:split

CREATE INDEX compactions_session ON compactions (session_id, id);
