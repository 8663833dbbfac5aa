-- The conversation that a thread goes on from, up to which of its messages; 0 for none.
ALTER TABLE sessions ADD COLUMN parent_id BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE sessions ADD COLUMN parent_upto BIGINT NOT NULL DEFAULT 0;

--bun:split

CREATE INDEX questions_person ON questions (person_id, id);
