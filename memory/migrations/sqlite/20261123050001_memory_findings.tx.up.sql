-- What a model found in a part of a document, as JSON, so that the part is not read again for the same. hash is of the part's
-- text, of what was looked for, of the model and of the prompt. session_id is the conversation that asked, 0 where nobody's words
-- say what was looked for. It goes with the document's content, with a message of the conversation, and at expires_at.
CREATE TABLE findings (
    content_id BIGINT NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    session_id BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    page       BIGINT NOT NULL, -- the first of the part
    found      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (content_id, session_id, hash)
);

--bun:split

CREATE INDEX findings_session ON findings (session_id) WHERE session_id > 0;

--bun:split

-- A hash of the request and the documents that an answer is for, '' where the same request may have another answer.
ALTER TABLE ledgers ADD COLUMN answers TEXT NOT NULL DEFAULT '';

--bun:split

CREATE INDEX ledgers_answers ON ledgers (answers) WHERE answers <> '';
