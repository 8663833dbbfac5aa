-- asked_id: our message that asks the question, 0 for those asked before.
ALTER TABLE questions ADD COLUMN asked_id BIGINT NOT NULL DEFAULT 0;
