-- What belongs to a message, a document or an interaction is looked up by it. An index with
-- a condition is used only by queries that repeat the condition.
DROP INDEX inbox_message;

--bun:split

CREATE INDEX inbox_message ON inbox (message_id);

--bun:split

DROP INDEX outbox_message;

--bun:split

CREATE INDEX outbox_message ON outbox (message_id);

--bun:split

DROP INDEX documents_message;

--bun:split

CREATE INDEX documents_message ON documents (message_id);

--bun:split

DROP INDEX files_document;

--bun:split

CREATE INDEX files_document ON files (document_id);

--bun:split

CREATE INDEX questions_message ON questions (message_id);

--bun:split

CREATE INDEX questions_asked ON questions (asked_id);

--bun:split

CREATE INDEX questions_interaction ON questions (interaction_id);

--bun:split

DROP INDEX outbox_document;

--bun:split

CREATE INDEX outbox_document ON outbox (document_id);
