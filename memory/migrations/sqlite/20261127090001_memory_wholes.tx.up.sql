-- The text of an answer that was too long to be shown and was posted as a file: it is looked through when something is erased.
CREATE TABLE wholes (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    text       TEXT   NOT NULL
);
