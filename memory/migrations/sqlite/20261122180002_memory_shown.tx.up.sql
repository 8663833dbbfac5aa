-- What the answer to a command shows: a message, what is kept of a session, or the name of a document;
-- the others are 0. The post is erased with it.
CREATE TABLE shown (
    outbox_id   BIGINT NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    message_id  BIGINT NOT NULL DEFAULT 0,
    session_id  BIGINT NOT NULL DEFAULT 0,
    document_id BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (outbox_id, message_id, session_id, document_id)
);

--bun:split

CREATE INDEX shown_message ON shown (message_id);

--bun:split

CREATE INDEX shown_session ON shown (session_id);

--bun:split

CREATE INDEX shown_document ON shown (document_id);
