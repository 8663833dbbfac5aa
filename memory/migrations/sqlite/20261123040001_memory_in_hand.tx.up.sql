-- What people have said of a conversation's memory. threshold is the conversation's own, 0 for
-- the program's; a fold that was undone is not due again before the context is larger than
-- fold_after tokens. reason is why a compaction was due: size, window or hand; instructions what
-- somebody asked it to keep. A pinned fact is shown first, and outlives a rebuilding; one of
-- for_channel was remembered for all conversations of its channel.
ALTER TABLE sessions ADD COLUMN threshold BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE sessions ADD COLUMN fold_after BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE compactions ADD COLUMN reason TEXT NOT NULL DEFAULT '';

--bun:split

ALTER TABLE compactions ADD COLUMN instructions TEXT NOT NULL DEFAULT '';

--bun:split

ALTER TABLE facts ADD COLUMN pinned BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

ALTER TABLE facts ADD COLUMN for_channel BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

-- weight is how much a fact tells, higher is more; the snapshot takes the heaviest.
ALTER TABLE facts ADD COLUMN weight BIGINT NOT NULL DEFAULT 0;

--bun:split

-- slot_name is the slot as it was written; slot holds the stems of its words.
ALTER TABLE facts ADD COLUMN slot_name TEXT NOT NULL DEFAULT '';
