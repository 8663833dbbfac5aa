-- Documents. The same bytes are read once: contents, pages and passages belong to
-- the bytes, documents to the place they were posted in.

-- state: reading | ready | failed. pages is how many the file has, pages_done how many
-- are stored (fewer while reading, or where the limits cut it). A failed content has neither pages nor bytes.

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

--bun:split

CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    data   BLOB NOT NULL
);

--bun:split

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
);

--bun:split

CREATE INDEX documents_session ON documents (session_id, id);

--bun:split

CREATE INDEX documents_channel ON documents (channel_id, id);

--bun:split

CREATE INDEX documents_content ON documents (content_id);

--bun:split

CREATE INDEX documents_message ON documents (message_id) WHERE message_id > 0;

--bun:split

-- A file without pages is kept in parts; label says what a part is called ("rows 2–40").
CREATE TABLE pages (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    content_id BIGINT  NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    number     BIGINT  NOT NULL,
    label      TEXT    NOT NULL DEFAULT '',
    text       TEXT    NOT NULL,
    scanned    BOOLEAN NOT NULL DEFAULT FALSE,
    truncated  BOOLEAN NOT NULL DEFAULT FALSE,
    failed     TEXT    NOT NULL DEFAULT '',
    UNIQUE (content_id, number)
);

--bun:split

-- A passage is pages.text[start_at:end_at] in bytes.
CREATE TABLE passages (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    content_id BIGINT NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    page       BIGINT NOT NULL,
    start_at   BIGINT NOT NULL,
    end_at     BIGINT NOT NULL,
    terms      TEXT   NOT NULL
);

--bun:split

CREATE INDEX passages_content ON passages (content_id, id);

--bun:split

CREATE VIRTUAL TABLE passages_fts USING fts5 (
    terms, scope,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '.'"
);

--bun:split

INSERT INTO passages_fts (passages_fts, rank) VALUES ('secure-delete', 1);

--bun:split

CREATE VIRTUAL TABLE passages_vocab USING fts5vocab (passages_fts, 'row');

--bun:split

CREATE TRIGGER passages_fts_insert AFTER INSERT ON passages BEGIN
    INSERT INTO passages_fts (rowid, terms, scope) VALUES (new.id, new.terms, 'd' || new.content_id);
END;

--bun:split

CREATE TRIGGER passages_fts_delete AFTER DELETE ON passages BEGIN
    DELETE FROM passages_fts WHERE rowid = old.id;
END;

--bun:split

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
    reason      TEXT   NOT NULL DEFAULT '',
    UNIQUE (message_id, platform_id)
);

--bun:split

CREATE TABLE citations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id  BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    n           BIGINT NOT NULL,
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page        BIGINT NOT NULL,
    quote       TEXT   NOT NULL,
    UNIQUE (message_id, n)
);

--bun:split

CREATE INDEX citations_document ON citations (document_id);
