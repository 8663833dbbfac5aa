-- A hash of the request and the documents that an answer is for, '' where the same request may have another answer.
ALTER TABLE ledgers ADD COLUMN answers TEXT NOT NULL DEFAULT '';

--bun:split

CREATE INDEX ledgers_answers ON ledgers (answers) WHERE answers <> '';
