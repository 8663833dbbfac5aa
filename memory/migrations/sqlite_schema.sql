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
CREATE TABLE channels (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    platform   TEXT    NOT NULL,
    workspace  TEXT    NOT NULL,
    channel    TEXT    NOT NULL,
    name       TEXT    NOT NULL DEFAULT '',
    kind       TEXT    NOT NULL,
    external   BOOLEAN NOT NULL DEFAULT FALSE,
    updated_at BIGINT  NOT NULL, stale BOOLEAN NOT NULL DEFAULT FALSE, unchecked BOOLEAN NOT NULL DEFAULT FALSE, epoch BIGINT NOT NULL DEFAULT 0, was_public BOOLEAN NOT NULL DEFAULT FALSE, unheard BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (platform, workspace, channel)
);
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
    updated_at    BIGINT NOT NULL, joined BOOLEAN NOT NULL DEFAULT FALSE, threshold BIGINT NOT NULL DEFAULT 0, fold_after BIGINT NOT NULL DEFAULT 0, parent_id BIGINT NOT NULL DEFAULT 0, parent_upto BIGINT NOT NULL DEFAULT 0,
    UNIQUE (platform, workspace, channel, thread)
);
CREATE TABLE settings (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, name)
);
CREATE TABLE interactions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    person_id  BIGINT NOT NULL DEFAULT 0,
    state      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    closed_at  BIGINT NOT NULL DEFAULT 0
, answered_with BIGINT NOT NULL DEFAULT 0);
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
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    terms, scope,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '.'"
);
CREATE VIRTUAL TABLE messages_vocab USING fts5vocab (messages_fts, 'row');
CREATE TABLE revisions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    rev        BIGINT NOT NULL,
    text       TEXT   NOT NULL,
    at         BIGINT NOT NULL, hash TEXT NOT NULL DEFAULT '',
    UNIQUE (message_id, rev)
);
CREATE TABLE understandings (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    json       TEXT   NOT NULL
);
CREATE TABLE ledgers (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    json       TEXT   NOT NULL
, answers TEXT NOT NULL DEFAULT '', model_calls BIGINT NOT NULL DEFAULT 0, prompt_tokens BIGINT NOT NULL DEFAULT 0, completion_tokens BIGINT NOT NULL DEFAULT 0, cached_tokens BIGINT NOT NULL DEFAULT 0, system_tokens BIGINT NOT NULL DEFAULT 0, document_tokens BIGINT NOT NULL DEFAULT 0, verified BIGINT NOT NULL DEFAULT 0, unchecked BIGINT NOT NULL DEFAULT 0, left_out BIGINT NOT NULL DEFAULT 0, not_found BOOLEAN NOT NULL DEFAULT FALSE, route TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '', millis BIGINT NOT NULL DEFAULT 0);
CREATE TABLE feedback (
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    person_id  BIGINT NOT NULL,
    value      TEXT   NOT NULL,
    at         BIGINT NOT NULL, reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (message_id, person_id)
);
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
    done_at    BIGINT NOT NULL DEFAULT 0, subject TEXT NOT NULL DEFAULT '', stop TEXT NOT NULL DEFAULT '', crashes BIGINT NOT NULL DEFAULT 0, overheard BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (platform, event_id),
    UNIQUE (session_id, seq)
);
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
, document_id BIGINT NOT NULL DEFAULT 0, kind TEXT NOT NULL DEFAULT '');
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
, asked_id BIGINT NOT NULL DEFAULT 0);
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
, pinned BOOLEAN NOT NULL DEFAULT FALSE, for_channel BOOLEAN NOT NULL DEFAULT FALSE, weight BIGINT NOT NULL DEFAULT 0, slot_name TEXT NOT NULL DEFAULT '');
CREATE TABLE fact_sources (
    fact_id    BIGINT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    rev        BIGINT NOT NULL,
    quote      TEXT   NOT NULL,
    PRIMARY KEY (fact_id, message_id)
);
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
, reason TEXT NOT NULL DEFAULT '', instructions TEXT NOT NULL DEFAULT '');
CREATE TABLE contents (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256      TEXT   NOT NULL UNIQUE,
    media       TEXT   NOT NULL,
    size        BIGINT NOT NULL,
    pages       BIGINT NOT NULL DEFAULT 0,
    pages_done  BIGINT NOT NULL DEFAULT 0,
    chars       BIGINT NOT NULL DEFAULT 0,
    scanned     BIGINT NOT NULL DEFAULT 0,
    first_terms TEXT   NOT NULL DEFAULT '',
    state       TEXT   NOT NULL,
    reason      TEXT   NOT NULL DEFAULT '',
    extractor   TEXT   NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL
);
CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    data   BLOB NOT NULL
);
CREATE TABLE documents (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    content_id BIGINT  NOT NULL DEFAULT 0,
    session_id BIGINT  NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    channel_id BIGINT  NOT NULL,
    message_id BIGINT  NOT NULL DEFAULT 0,
    person_id  BIGINT  NOT NULL DEFAULT 0,
    name       TEXT    NOT NULL,
    name_terms TEXT    NOT NULL DEFAULT '',
    state      TEXT    NOT NULL,
    reason     TEXT    NOT NULL DEFAULT '',
    shared     BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT  NOT NULL,
    removed_at BIGINT  NOT NULL DEFAULT 0
, picture BOOLEAN NOT NULL DEFAULT FALSE);
CREATE TABLE pages (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    content_id BIGINT  NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    number     BIGINT  NOT NULL,
    label      TEXT    NOT NULL DEFAULT '',
    text       TEXT    NOT NULL,
    scanned    BOOLEAN NOT NULL DEFAULT FALSE,
    truncated  BOOLEAN NOT NULL DEFAULT FALSE,
    failed     TEXT    NOT NULL DEFAULT '', boxes BLOB, headings TEXT NOT NULL DEFAULT '', certainty INTEGER NOT NULL DEFAULT 0,
    UNIQUE (content_id, number)
);
CREATE TABLE passages (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    content_id BIGINT NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    page       BIGINT NOT NULL,
    start_at   BIGINT NOT NULL,
    end_at     BIGINT NOT NULL,
    terms      TEXT   NOT NULL
, head TEXT NOT NULL DEFAULT '');
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    terms, scope,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '.'"
);
CREATE VIRTUAL TABLE passages_vocab USING fts5vocab (passages_fts, 'row');
CREATE TABLE files (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id  BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id  BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    platform_id TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    media       TEXT   NOT NULL DEFAULT '',
    size        BIGINT NOT NULL DEFAULT 0,
    locator     TEXT   NOT NULL DEFAULT '',
    document_id BIGINT NOT NULL DEFAULT 0,
    state       TEXT   NOT NULL,
    reason      TEXT   NOT NULL DEFAULT '', link TEXT NOT NULL DEFAULT '',
    UNIQUE (message_id, platform_id)
);
CREATE TABLE citations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id  BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    n           BIGINT NOT NULL,
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page        BIGINT NOT NULL,
    quote       TEXT   NOT NULL, place TEXT NOT NULL DEFAULT '', letter TEXT NOT NULL DEFAULT '',
    UNIQUE (message_id, n)
);
CREATE TABLE posts (
    channel_id  BIGINT NOT NULL,
    platform_id TEXT   NOT NULL,
    message_id  BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    PRIMARY KEY (channel_id, platform_id)
);
CREATE TABLE tombstones (
    platform    TEXT   NOT NULL,
    workspace   TEXT   NOT NULL,
    channel     TEXT   NOT NULL,
    platform_id TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (platform, workspace, channel, platform_id)
);
CREATE TABLE cursors (
    platform TEXT   NOT NULL,
    part     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (platform, part)
);
CREATE TABLE shown (
    outbox_id   BIGINT NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    message_id  BIGINT NOT NULL DEFAULT 0,
    session_id  BIGINT NOT NULL DEFAULT 0,
    document_id BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (outbox_id, message_id, session_id, document_id)
);
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
CREATE TABLE spending (
    day               BIGINT  NOT NULL,
    person_id         BIGINT  NOT NULL,
    channel_id        BIGINT  NOT NULL,
    model             TEXT    NOT NULL,
    purpose           TEXT    NOT NULL,
    calls             BIGINT  NOT NULL,
    prompt_tokens     BIGINT  NOT NULL,
    completion_tokens BIGINT  NOT NULL,
    cached_tokens     BIGINT  NOT NULL,
    micros            BIGINT  NOT NULL,
    PRIMARY KEY (day, person_id, channel_id, model, purpose)
);
CREATE TABLE findings (
    content_id BIGINT NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    session_id BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    page       BIGINT NOT NULL, -- the first of the part
    found      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (content_id, session_id, hash)
);
CREATE TABLE wholes (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    text       TEXT   NOT NULL
);
CREATE TABLE guests (
    platform    TEXT NOT NULL,
    workspace   TEXT NOT NULL,
    channel     TEXT NOT NULL,
    platform_id TEXT NOT NULL,
    PRIMARY KEY (platform, workspace, channel, platform_id)
);
CREATE INDEX sessions_ready ON sessions (ready_at) WHERE pending > 0;
CREATE INDEX sessions_channel ON sessions (channel_id);
CREATE INDEX interactions_session ON interactions (session_id, id);
CREATE INDEX messages_session ON messages (session_id, id, interaction_id, tokens);
CREATE INDEX messages_interaction ON messages (interaction_id);
CREATE INDEX messages_platform ON messages (channel_id, platform_id);
CREATE INDEX inbox_open ON inbox (session_id, seq) WHERE state = 'new';
CREATE INDEX outbox_open ON outbox (next_at) WHERE state <> 'done';
CREATE INDEX outbox_inbox ON outbox (inbox_id);
CREATE INDEX questions_open ON questions (session_id) WHERE state = 'open';
CREATE INDEX facts_session ON facts (session_id, id);
CREATE INDEX facts_segment ON facts (segment_id);
CREATE INDEX fact_sources_message ON fact_sources (message_id);
CREATE UNIQUE INDEX compactions_open ON compactions (session_id) WHERE state = 'due';
CREATE INDEX compactions_ready ON compactions (next_at, id) WHERE state = 'due';
CREATE INDEX compactions_session ON compactions (session_id, id);
CREATE INDEX documents_session ON documents (session_id, id);
CREATE INDEX documents_channel ON documents (channel_id, id);
CREATE INDEX documents_content ON documents (content_id);
CREATE INDEX passages_content ON passages (content_id, id);
CREATE INDEX citations_document ON citations (document_id);
CREATE UNIQUE INDEX inbox_subject ON inbox (session_id, subject) WHERE subject <> '';
CREATE INDEX inbox_quick ON inbox (id) WHERE state = 'quick';
CREATE INDEX files_waiting ON files (session_id) WHERE state = 'waiting';
CREATE INDEX files_platform ON files (platform_id);
CREATE INDEX sessions_quiet ON sessions (updated_at);
CREATE INDEX posts_message ON posts (message_id);
CREATE INDEX messages_person ON messages (person_id, channel_id);
CREATE INDEX people_guests ON people (id) WHERE kind = 'guest';
CREATE INDEX inbox_message ON inbox (message_id);
CREATE INDEX outbox_message ON outbox (message_id);
CREATE INDEX documents_message ON documents (message_id);
CREATE INDEX files_document ON files (document_id);
CREATE INDEX questions_message ON questions (message_id);
CREATE INDEX questions_asked ON questions (asked_id);
CREATE INDEX questions_interaction ON questions (interaction_id);
CREATE INDEX outbox_document ON outbox (document_id);
CREATE INDEX shown_message ON shown (message_id);
CREATE INDEX shown_session ON shown (session_id);
CREATE INDEX shown_document ON shown (document_id);
CREATE INDEX suspicions_next ON suspicions (next_at);
CREATE INDEX outbox_session ON outbox (session_id);
CREATE INDEX questions_session ON questions (session_id);
CREATE INDEX files_session ON files (session_id);
CREATE INDEX channels_stale ON channels (stale) WHERE stale = TRUE;
CREATE INDEX pages_unread ON pages (content_id, number) WHERE scanned AND boxes IS NULL AND failed = '';
CREATE INDEX findings_session ON findings (session_id) WHERE session_id > 0;
CREATE INDEX ledgers_answers ON ledgers (answers) WHERE answers <> '';
CREATE INDEX facts_person ON facts (person_id, state);
CREATE INDEX facts_channel ON facts (channel_id, state);
CREATE INDEX messages_said ON messages (person_id, id);
CREATE INDEX questions_person ON questions (person_id, id);
CREATE INDEX facts_heaviest ON facts (session_id, kind, pinned, weight, id) WHERE state = 'active';
CREATE INDEX facts_slot ON facts (session_id, slot) WHERE slot <> '';
CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by > 0;
CREATE INDEX messages_erased ON messages (session_id, id) WHERE erased_at > 0;
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages WHEN new.terms <> '' BEGIN
    INSERT INTO messages_fts (rowid, terms, scope)
    VALUES (new.id, new.terms, 'c' || new.channel_id || ' s' || new.session_id);
END;
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages WHEN old.terms <> '' BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id;
END;
CREATE TRIGGER messages_fts_update AFTER UPDATE OF terms ON messages BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id;
    INSERT INTO messages_fts (rowid, terms, scope)
    SELECT new.id, new.terms, 'c' || new.channel_id || ' s' || new.session_id WHERE new.terms <> '';
END;
CREATE TRIGGER passages_fts_insert AFTER INSERT ON passages BEGIN
    INSERT INTO passages_fts (rowid, terms, scope) VALUES (new.id, new.terms, 'd' || new.content_id);
END;
CREATE TRIGGER passages_fts_delete AFTER DELETE ON passages BEGIN
    DELETE FROM passages_fts WHERE rowid = old.id;
END;
INSERT INTO messages_fts (messages_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO passages_fts (passages_fts, rank) VALUES ('secure-delete', 1);
