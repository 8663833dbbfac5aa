CREATE TABLE bun_migrations ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "name" VARCHAR, "group_id" INTEGER, "migrated_at" TIMESTAMP NOT NULL DEFAULT current_timestamp);
CREATE TABLE bun_migration_locks ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "table_name" VARCHAR, UNIQUE ("table_name"));
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
INSERT INTO bun_migrations VALUES (1, '20261121000001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (2, '20261121000002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (3, '20261121000003', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (4, '20261121000004', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (5, '20261121000005', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (6, '20261121000006', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (7, '20261121120001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (8, '20261121130001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (9, '20261121140001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (10, '20261121140002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (11, '20261121150001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (12, '20261121150002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (13, '20261121150003', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (14, '20261122110001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (15, '20261122110002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (16, '20261122180001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (17, '20261122180002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (18, '20261122180101', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (19, '20261122180301', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (20, '20261122181100', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (21, '20261122190001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (22, '20261122200001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (23, '20261122200501', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (24, '20261123010001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (25, '20261123030001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (26, '20261123030028', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (27, '20261123040001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (28, '20261123050001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (29, '20261123060001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (30, '20261123070001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (31, '20261123080047', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (32, '20261123090001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (33, '20261123100001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (34, '20261123170001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (35, '20261123190001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (36, '20261124140001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (37, '20261124180001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (38, '20261124210001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (39, '20261127090001', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (40, '20261127090002', 1, '2026-11-27 16:53:17');
INSERT INTO bun_migrations VALUES (41, '20261127170001', 1, '2026-11-27 16:53:17');
INSERT INTO people VALUES (1, 'console', 'local', 'me', 'Ada', 'human', 1, 'UTC', 1789981201000);
INSERT INTO channels VALUES (1, 'console', 'local', 'terminal', 'terminal', 'dm', 0, 1789981356000, 0, 0, 0, 0, 0);
INSERT INTO sessions VALUES (1, 1, 'console', 'local', 'terminal', 'main', '', 10, 0, 19, 1, 1789981413000, 'worker', 2, 1789981201000, 1789981355000, 1, 0, 0, 0, 0);
INSERT INTO sessions VALUES (2, 1, 'console', 'local', 'terminal', 'side', '', 0, 0, 1, 1, 0, '', 0, 1789981356000, 1789981360000, 1, 0, 0, 0, 0);
INSERT INTO settings VALUES ('', 'migrated by', '');
INSERT INTO settings VALUES ('channel:1', 'follow', 'thread');
INSERT INTO interactions VALUES (1, 1, 1, 'closed', 1789981203000, 0, 0);
INSERT INTO interactions VALUES (2, 1, 1, 'closed', 1789981209000, 0, 0);
INSERT INTO interactions VALUES (3, 1, 1, 'closed', 1789981215000, 0, 0);
INSERT INTO interactions VALUES (4, 1, 1, 'closed', 1789981221000, 0, 0);
INSERT INTO interactions VALUES (5, 1, 1, 'closed', 1789981227000, 0, 0);
INSERT INTO interactions VALUES (6, 1, 1, 'closed', 1789981233000, 0, 0);
INSERT INTO interactions VALUES (7, 1, 1, 'closed', 1789981239000, 0, 0);
INSERT INTO interactions VALUES (8, 1, 1, 'closed', 1789981245000, 0, 0);
INSERT INTO interactions VALUES (9, 1, 1, 'closed', 1789981251000, 0, 0);
INSERT INTO interactions VALUES (10, 1, 1, 'closed', 1789981257000, 0, 0);
INSERT INTO interactions VALUES (11, 1, 1, 'closed', 1789981263000, 0, 0);
INSERT INTO interactions VALUES (12, 1, 1, 'closed', 1789981269000, 0, 0);
INSERT INTO interactions VALUES (13, 1, 1, 'closed', 1789981275000, 0, 0);
INSERT INTO interactions VALUES (14, 1, 1, 'closed', 1789981281000, 0, 0);
INSERT INTO interactions VALUES (15, 1, 1, 'open', 1789981305000, 0, 0);
INSERT INTO interactions VALUES (16, 1, 1, 'open', 1789981348000, 0, 0);
INSERT INTO interactions VALUES (17, 2, 1, 'open', 1789981358000, 0, 0);
INSERT INTO messages VALUES (1, 1, 1, 1, 1, 'user', 'Ada', 'The walrus project ships on Tuesday.', 'ada 21 septemb 2026 walrus project ship tuesday', 13, 1, 'early 0', 0, 1789981204000, 0, 0);
INSERT INTO messages VALUES (2, 1, 1, 2, 1, 'user', 'Ada', 'I prefer CSV for all exports.', 'ada 21 septemb 2026 prefer csv all export', 12, 1, 'early 1', 0, 1789981210000, 0, 0);
INSERT INTO messages VALUES (3, 1, 1, 3, 1, 'user', 'Ada', 'We decided to use Postgres for the queue.', 'ada 21 septemb 2026 decid use postgr queue', 15, 1, 'early 2', 0, 1789981216000, 0, 0);
INSERT INTO messages VALUES (4, 1, 1, 4, 1, 'user', 'Ada', 'The badge code is 7Q-114.', 'ada 21 septemb 2026 badg code 7 q 114', 15, 1, 'early 3', 0, 1789981222000, 0, 0);
INSERT INTO messages VALUES (5, 1, 1, 5, 1, 'user', 'Ada', 'I need to call the landlord tomorrow.', 'ada 21 septemb 2026 need call landlord tomorrow', 13, 1, 'early 4', 0, 1789981228000, 0, 0);
INSERT INTO messages VALUES (6, 1, 1, 6, 1, 'user', 'Ada', 'Item 0 of the inventory was counted twice and found in its place on shelf 0.', 'ada 21 septemb 2026 item 0 inventori count twice found place shelf 0', 24, 1, 'filler 0', 0, 1789981234000, 0, 0);
INSERT INTO messages VALUES (7, 1, 1, 7, 1, 'user', 'Ada', 'Item 1 of the inventory was counted twice and found in its place on shelf 7.', 'ada 21 septemb 2026 item 1 inventori count twice found place shelf 7', 24, 1, 'filler 1', 0, 1789981240000, 0, 0);
INSERT INTO messages VALUES (8, 1, 1, 8, 1, 'user', 'Ada', 'Item 2 of the inventory was counted twice and found in its place on shelf 14.', 'ada 21 septemb 2026 item 2 inventori count twice found place shelf 14', 24, 1, 'filler 2', 0, 1789981246000, 0, 0);
INSERT INTO messages VALUES (9, 1, 1, 9, 1, 'user', 'Ada', 'Item 3 of the inventory was counted twice and found in its place on shelf 21.', 'ada 21 septemb 2026 item 3 inventori count twice found place shelf 21', 24, 1, 'filler 3', 0, 1789981252000, 0, 0);
INSERT INTO messages VALUES (10, 1, 1, 10, 1, 'user', 'Ada', 'Item 4 of the inventory was counted twice and found in its place on shelf 28.', 'ada 21 septemb 2026 item 4 inventori count twice found place shelf 28', 24, 1, 'filler 4', 0, 1789981258000, 0, 0);
INSERT INTO messages VALUES (11, 1, 1, 11, 1, 'user', 'Ada', 'Item 5 of the inventory was counted twice and found in its place on shelf 35.', 'ada 21 septemb 2026 item 5 inventori count twice found place shelf 35', 24, 1, 'filler 5', 0, 1789981264000, 0, 0);
INSERT INTO messages VALUES (12, 1, 1, 12, 1, 'user', 'Ada', 'Item 6 of the inventory was counted twice and found in its place on shelf 42.', 'ada 21 septemb 2026 item 6 inventori count twice found place shelf 42', 24, 1, 'filler 6', 0, 1789981270000, 0, 0);
INSERT INTO messages VALUES (13, 1, 1, 13, 1, 'user', 'Ada', 'Item 7 was counted once.', 'ada 21 septemb 2026 item 7 count once', 12, 2, 'filler 7', 0, 1789981276000, 0, 0);
INSERT INTO messages VALUES (14, 1, 1, 14, 1, 'user', 'Ada', 'That was the inventory.', 'ada 21 septemb 2026 inventori', 10, 1, 'last of them', 0, 1789981282000, 0, 0);
INSERT INTO messages VALUES (15, 1, 1, 15, 1, 'user', 'Ada', 'Here is the notice at the gate.', 'ada 21 septemb 2026 here notic gate', 13, 1, 'with file', 0, 1789981306000, 0, 0);
INSERT INTO messages VALUES (16, 1, 1, 15, 0, 'assistant', '', 'The gate opens at nine [1]. Which report do you mean?', '21 septemb 2026 gate open nine 1 report mean', 19, 1, 'answer:1', 15, 1789981316000, 0, 0);
INSERT INTO messages VALUES (17, 1, 1, 16, 1, 'user', 'Ada', 'When does the gate open?', 'ada 21 septemb 2026 gate open', 11, 1, 'asked', 0, 1789981349000, 0, 0);
INSERT INTO messages VALUES (18, 2, 1, 17, 1, 'user', 'Ada', 'Which door is the narrow one?', 'ada 21 septemb 2026 door narrow one', 12, 1, 'waiting', 0, 1789981359000, 0, 0);
INSERT INTO revisions VALUES (1, 13, 1, '', 1789981325000, '7c63f3705d9a0216dfc8a99ca729211e75630254aea6671c1a2c84cad187c40b');
INSERT INTO understandings VALUES (15, '{"is_ambiguous":false,"rewritten_query":"gate","possible_interpretations":null,"clarifying_questions":null,"method":"rule"}');
INSERT INTO ledgers VALUES (16, '', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'documents', 'test-model', 0);
INSERT INTO feedback VALUES (16, 1, 'helpful', 1789981319000, '');
INSERT INTO inbox VALUES (1, 1, 1, 'console', 'early 0', 'message', 1, 0, '', 'done', 0, '', 1789981202000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (2, 1, 2, 'console', 'early 1', 'message', 2, 0, '', 'done', 0, '', 1789981208000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (3, 1, 3, 'console', 'early 2', 'message', 3, 0, '', 'done', 0, '', 1789981214000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (4, 1, 4, 'console', 'early 3', 'message', 4, 0, '', 'done', 0, '', 1789981220000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (5, 1, 5, 'console', 'early 4', 'message', 5, 0, '', 'done', 0, '', 1789981226000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (6, 1, 6, 'console', 'filler 0', 'message', 6, 0, '', 'done', 0, '', 1789981232000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (7, 1, 7, 'console', 'filler 1', 'message', 7, 0, '', 'done', 0, '', 1789981238000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (8, 1, 8, 'console', 'filler 2', 'message', 8, 0, '', 'done', 0, '', 1789981244000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (9, 1, 9, 'console', 'filler 3', 'message', 9, 0, '', 'done', 0, '', 1789981250000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (10, 1, 10, 'console', 'filler 4', 'message', 10, 0, '', 'done', 0, '', 1789981256000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (11, 1, 11, 'console', 'filler 5', 'message', 11, 0, '', 'done', 0, '', 1789981262000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (12, 1, 12, 'console', 'filler 6', 'message', 12, 0, '', 'done', 0, '', 1789981268000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (13, 1, 13, 'console', 'filler 7', 'message', 13, 0, '', 'done', 0, '', 1789981274000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (14, 1, 14, 'console', 'last of them', 'message', 14, 0, '', 'done', 0, '', 1789981280000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (15, 1, 15, 'console', 'with file', 'message', 15, 1, '', 'done', 1, '', 1789981304000, 1789981319000, '', '', 0, 0);
INSERT INTO inbox VALUES (16, 1, 16, 'console', 'edit 1', '', 13, 0, '', 'done', 0, '', 1789981320000, 1789981321000, '', '', 0, 0);
INSERT INTO inbox VALUES (17, 1, 17, 'console', 'look', 'command', 0, 0, '', 'done', 0, '', 1789981331000, 1789981335000, '', '', 0, 0);
INSERT INTO inbox VALUES (18, 1, 18, 'console', 'command', 'command', 0, 0, '{"id":"command","kind":"command","key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"},"channel":{"ID":0,"Platform":"console","Workspace":"local","Channel":"terminal","Name":"terminal","Kind":"dm","External":false,"UpdatedAt":0},"author":{"id":"me","name":"Ada","kind":"human","admin":true,"time_zone":"UTC"},"message":"command","at":1790000000000,"mention":true,"command":"memory status","reply":{"key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"},"reply_to":"command","event":"command","asker":"me"}}', 'quick', 0, '', 1789981343000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (19, 1, 19, 'console', 'asked', 'message', 17, 1, '{"id":"asked","kind":"message","key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"},"channel":{"ID":0,"Platform":"console","Workspace":"local","Channel":"terminal","Name":"terminal","Kind":"dm","External":false,"UpdatedAt":0},"author":{"id":"me","name":"Ada","kind":"human","admin":true,"time_zone":"UTC"},"message":"asked","at":1790000000000,"mention":true,"reply":{"key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"},"reply_to":"asked","event":"asked","asker":"me"}}', 'new', 1, '', 1789981347000, 0, '', '', 0, 0);
INSERT INTO inbox VALUES (20, 2, 1, 'console', 'waiting', 'message', 18, 1, '{"id":"waiting","kind":"message","key":{"platform":"console","workspace":"local","channel":"terminal","thread":"side"},"channel":{"ID":0,"Platform":"console","Workspace":"local","Channel":"terminal","Name":"terminal","Kind":"dm","External":false,"UpdatedAt":0},"author":{"id":"me","name":"Ada","kind":"human","admin":true,"time_zone":"UTC"},"message":"waiting","at":1790000000000,"mention":true,"reply":{"key":{"platform":"console","workspace":"local","channel":"terminal","thread":"side"},"reply_to":"waiting","event":"waiting","asker":"me"}}', 'new', 0, '', 1789981357000, 0, '', '', 0, 0);
INSERT INTO outbox VALUES (1, 1, 15, 16, 'tk7baeaf2647287ed94b6d', 'done', 'ref of the answer', '', 0, 0, '', 1789981313000, 1789981318000, 0, '');
INSERT INTO outbox VALUES (2, 1, 17, 0, 'look', 'done', 'ref of look', '', 0, 0, '', 1789981336000, 1789981337000, 0, '');
INSERT INTO outbox VALUES (3, 1, 0, 16, 'erased', 'ready', 'ref of the answer', '', 0, 0, '', 1789981338000, 0, 0, 'erased');
INSERT INTO outbox VALUES (4, 1, 0, 16, 'closed', 'ready', 'ref of the answer', '', 0, 0, '', 1789981339000, 0, 0, 'closed');
INSERT INTO outbox VALUES (5, 1, 0, 16, 'retried', 'ready', 'ref of the answer', '', 0, 0, '', 1789981340000, 0, 0, 'retried');
INSERT INTO outbox VALUES (6, 1, 0, 0, 'title/1', 'ready', '', '', 0, 0, '', 1789981341000, 0, 0, 'title');
INSERT INTO outbox VALUES (7, 1, 0, 0, 'page', 'ready', '', '{"to":{"key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"}},"out":{"nonce":"page","kind":"reply","text":"Page 1","file":{"nonce":"page","name":"page.png","media":"image/png","data":"cG5n","text":"Page 1","document":1}}}', 0, 0, '', 1789981342000, 0, 1, '');
INSERT INTO outbox VALUES (8, 1, 19, 0, 'tkbf8d9017df2ab3ac5784', 'ready', '', '{"to":{"key":{"platform":"console","workspace":"local","channel":"terminal","thread":"main"},"reply_to":"asked","event":"asked","asker":"me"},"out":{"nonce":"tkbf8d9017df2ab3ac5784","kind":"reply","text":"It opens at nine [1].","language":"en","question":{"text":"Which gate?","options":[{"label":"North","action":"choice/token/0"}]},"citations":[{"n":1,"document":"gate.txt","link":"https://example.org/gate","page":1,"quote":"opens at nine"}],"buttons":[{"label":"Retry","action":"retry/x"}],"feedback":true,"understanding":{"is_ambiguous":false,"rewritten_query":"When does the gate open?","possible_interpretations":["the gate"],"clarifying_questions":["Which gate?"],"method":"rule","reason":"There is one."},"ledger":{"model_calls":1,"prompt_tokens":900,"completion_tokens":40,"cached_tokens":100,"system_tokens":500,"document_tokens":300,"route":"documents","model":"test-model","millis":1200}},"record":{"rows":[19],"interactions":[16],"state":"closed","text":"It opens at nine [1].","reply_to":17,"interaction":16,"understanding":{"17":{"is_ambiguous":false,"rewritten_query":"When does the gate open?","possible_interpretations":["the gate"],"clarifying_questions":["Which gate?"],"method":"rule","reason":"There is one."}},"ledger":{"model_calls":1,"prompt_tokens":900,"completion_tokens":40,"cached_tokens":100,"system_tokens":500,"document_tokens":300,"route":"documents","model":"test-model","millis":1200},"citations":[{"n":1,"document":1,"page":1,"quote":"opens at nine"}]}}', 0, 0, '', 1789981354000, 0, 0, '');
INSERT INTO questions VALUES (1, 1, 15, 15, 1, 'token', 'Which report do you mean?', '[{"label":"First","query":"the first report"},{"label":"Second","query":"the second report"}]', 'open', '', 1789981317000, 0, 16);
INSERT INTO segments VALUES (1, 1, 1, 10, 10, 'On 21 September 2026, Ada said “The walrus project ships on Tuesday.”
On 21 September 2026, Ada said “I prefer CSV for all exports.”
On 21 September 2026, Ada said “We decided to use Postgres for the queue.”
On 21 September 2026, Ada said “The badge code is 7Q-114.”
On 21 September 2026, Ada said “I need to call the landlord tomorrow.”
On 21 September 2026, Ada said “Item 0 of the inventory was counted twice and found in its place on shelf 0.”
On 21 September 2026, Ada said “Item 1 of the inventory was counted twice and found in its place on shelf 7.”
On 21 September 2026, Ada said “Item 2 of the inventory was counted twice and found in its place on shelf 14.”
On 21 September 2026, Ada said “Item 3 of the inventory was counted twice and found in its place on shelf 21.”
On 21 September 2026, Ada said “Item 4 of the inventory was counted twice and found in its place on shelf 28.”', 248, '7014e5f69357d580620527cf8cc8291f4c4b48d88b833b2afde0ba28cb00ed98', 'extractive', '', '', 0, 1789981289000);
INSERT INTO facts VALUES (1, 1, 1, 1, 1, 'preference', 'Ada', '', 'Ada: I prefer CSV for all exports.', 'active', 'said', 1789981210000, 0, 0, 1789981290000, 0, 0, 15, '');
INSERT INTO facts VALUES (2, 1, 1, 1, 1, 'decision', 'Ada', '', 'Ada: We decided to use Postgres for the queue.', 'active', 'said', 1789981216000, 0, 0, 1789981291000, 0, 0, 10, '');
INSERT INTO facts VALUES (3, 1, 1, 1, 1, 'key_fact', 'Ada', 'badg code', 'Ada: The badge code is 7Q-114.', 'active', 'said', 1789981222000, 0, 0, 1789981292000, 0, 0, 15, 'badge code');
INSERT INTO facts VALUES (4, 1, 1, 1, 1, 'todo', 'Ada', '', 'Ada: I need to call the landlord tomorrow.', 'active', 'said', 1789981228000, 0, 0, 1789981293000, 0, 0, 11, '');
INSERT INTO facts VALUES (5, 1, 1, 1, 1, 'key_fact', 'Ada', 'inventori', 'Ada: Item 0 of the inventory was counted twice and found in its place on shelf 0.', 'superseded', 'said', 1789981234000, 0, 6, 1789981294000, 0, 0, 12, 'inventory');
INSERT INTO facts VALUES (6, 1, 1, 1, 1, 'key_fact', 'Ada', 'inventori', 'Ada: Item 1 of the inventory was counted twice and found in its place on shelf 7.', 'superseded', 'said', 1789981240000, 0, 7, 1789981295000, 0, 0, 16, 'inventory');
INSERT INTO facts VALUES (7, 1, 1, 1, 1, 'key_fact', 'Ada', 'inventori', 'Ada: Item 2 of the inventory was counted twice and found in its place on shelf 14.', 'superseded', 'said', 1789981246000, 0, 8, 1789981296000, 0, 0, 16, 'inventory');
INSERT INTO facts VALUES (8, 1, 1, 1, 1, 'key_fact', 'Ada', 'inventori', 'Ada: Item 3 of the inventory was counted twice and found in its place on shelf 21.', 'superseded', 'said', 1789981252000, 0, 9, 1789981297000, 0, 0, 16, 'inventory');
INSERT INTO facts VALUES (9, 1, 1, 1, 1, 'key_fact', 'Ada', 'inventori', 'Ada: Item 4 of the inventory was counted twice and found in its place on shelf 28.', 'active', 'said', 1789981258000, 0, 0, 1789981298000, 0, 0, 16, 'inventory');
INSERT INTO fact_sources VALUES (1, 2, 1, 'I prefer CSV for all exports.');
INSERT INTO fact_sources VALUES (2, 3, 1, 'We decided to use Postgres for the queue.');
INSERT INTO fact_sources VALUES (3, 4, 1, 'The badge code is 7Q-114.');
INSERT INTO fact_sources VALUES (4, 5, 1, 'I need to call the landlord tomorrow.');
INSERT INTO fact_sources VALUES (5, 6, 1, 'Item 0 of the inventory was counted twice and found in its place on shelf 0.');
INSERT INTO fact_sources VALUES (6, 7, 1, 'Item 1 of the inventory was counted twice and found in its place on shelf 7.');
INSERT INTO fact_sources VALUES (7, 8, 1, 'Item 2 of the inventory was counted twice and found in its place on shelf 14.');
INSERT INTO fact_sources VALUES (8, 9, 1, 'Item 3 of the inventory was counted twice and found in its place on shelf 21.');
INSERT INTO fact_sources VALUES (9, 10, 1, 'Item 4 of the inventory was counted twice and found in its place on shelf 28.');
INSERT INTO snapshots VALUES (1, 1, 1, 10, '{"user_profile":{"preferences":["Ada: I prefer CSV for all exports. (21 Sep)"],"constraints":[]},"key_facts":[],"decisions":[],"said":["Ada: Item 4 of the inventory was counted twice and found in its place on shelf 28. (21 Sep, latest; before: Ada: Item 3 of the inventory was counted twice and found in its place on shelf 21, 21 Sep)","Ada: The badge code is 7Q-114. (21 Sep)","Ada: We decided to use Postgres for the queue. (21 Sep)"],"open_questions":[],"todos":["Ada: I need to call the landlord tomorrow. (21 Sep)"],"narrative":"On 21 September 2026, Ada said “The walrus project ships on Tuesday.” Ada said “Item 0 of the inventory was counted twice and found in its place on shelf 0.” Ada said “Item 1 of the inventory was counted twice and found in its place on shelf 7.” Ada said “Item 2 of the inventory was counted twice and found in its place on shelf 14.”"}', 'Preferences:
- Ada: I prefer CSV for all exports. (21 Sep)
To do:
- Ada: I need to call the landlord tomorrow. (21 Sep)
Said, the newest first:
- Ada: Item 4 of the inventory was counted twice and found in its place on shelf 28. (21 Sep, latest; before: Ada: Item 3 of the inventory was counted twice and found in its place on shelf 21, 21 Sep)
- Ada: The badge code is 7Q-114. (21 Sep)
- Ada: We decided to use Postgres for the queue. (21 Sep)
Earlier:
On 21 September 2026, Ada said “The walrus project ships on Tuesday.” Ada said “Item 0 of the inventory was counted twice and found in its place on shelf 0.” Ada said “Item 1 of the inventory was counted twice and found in its place on shelf 7.” Ada said “Item 2 of the inventory was counted twice and found in its place on shelf 14.”', 222, 1789981300000);
INSERT INTO compactions VALUES (1, 1, 1, 10, 'fold', 'done', 'extractive', 0, 1789981347000, '', 1, 270, 304, '', 1789981286000, 1789981301000, 'hand', '');
INSERT INTO contents VALUES (1, 'b45c65593a18870bacd7aaa2b1e1f7068d5340ccfda004649ba075698200ebbf', 'text/plain', 58, 1, 1, 58, 0, 'gate open nine morn except holiday', 'ready', '', '9', 1789981310000);
INSERT INTO blobs VALUES ('b45c65593a18870bacd7aaa2b1e1f7068d5340ccfda004649ba075698200ebbf', X'5468652067617465206F70656E73206174206E696E6520696E20746865206D6F726E696E672C20657863657074206F6E20686F6C69646179732E');
INSERT INTO documents VALUES (1, 1, 1, 1, 15, 1, 'gate.txt', 'gate', 'ready', '', 0, 1789981311000, 0, 0);
INSERT INTO pages VALUES (1, 1, 1, 'line 1', 'The gate opens at nine in the morning, except on holidays.', 0, 0, '', NULL, '', 0);
INSERT INTO passages VALUES (1, 1, 1, 0, 58, 'gate open nine morn except holiday', '');
INSERT INTO files VALUES (1, 1, 15, 'f1', 'gate.txt', 'text/plain', 58, '/gate.txt', 1, 'read', '', 'https://example.org/gate');
INSERT INTO citations VALUES (1, 16, 1, 1, 1, 'opens at nine', '', '');
INSERT INTO posts VALUES (1, 'p1', 16);
INSERT INTO posts VALUES (1, 'p2', 16);
INSERT INTO tombstones VALUES ('console', 'local', 'terminal', 'deleted before it came', 1789981328000);
INSERT INTO cursors VALUES ('discord', 'shard 0', 1789981200000);
INSERT INTO shown VALUES (2, 16, 0, 0);
INSERT INTO suspicions VALUES (1, 'console', 'local', 'terminal', 'main', 'early 1', 0, 0, 2, 0, 0, 1789981319000);
INSERT INTO spending VALUES (1789948800000, 1, 1, 'small', 'answer', 1, 900, 80, 0, 0);
INSERT INTO findings VALUES (1, 0, 'f00d', 1, '[{"page":1,"claim":"It has a page.","quote":"a page of it"}]', 1792573329000);
INSERT INTO wholes VALUES (16, 'The gate opens at nine [1]. Which report do you mean?');
INSERT INTO guests VALUES ('test', 'w', 'lounge', 'gus');
