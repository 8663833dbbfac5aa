-- subject is the platform id of the message a command was said in: the same
-- utterance under another event id is the same command. stop asks the turn over
-- a row to end.
ALTER TABLE inbox ADD COLUMN subject TEXT NOT NULL DEFAULT '';

--bun:split

ALTER TABLE inbox ADD COLUMN stop TEXT NOT NULL DEFAULT '';

--bun:split

CREATE UNIQUE INDEX inbox_subject ON inbox (session_id, subject) WHERE subject <> '';

--bun:split

CREATE INDEX inbox_quick ON inbox (id) WHERE state = 'quick';

--bun:split

CREATE INDEX inbox_answer ON inbox (session_id) WHERE answer;

--bun:split

CREATE INDEX files_waiting ON files (session_id) WHERE state = 'waiting';

--bun:split

CREATE INDEX files_platform ON files (platform_id);

--bun:split

CREATE INDEX sessions_quiet ON sessions (updated_at);
