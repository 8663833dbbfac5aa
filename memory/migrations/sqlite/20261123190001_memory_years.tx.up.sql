-- A fold reads of a long conversation what may be rendered, and the slots it touches; by these it finds them without
-- reading all facts.
CREATE INDEX facts_heaviest ON facts (session_id, kind, pinned, weight, id) WHERE state = 'active';

--bun:split

CREATE INDEX facts_slot ON facts (session_id, slot) WHERE slot <> '';

--bun:split

CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by > 0;

--bun:split

CREATE INDEX messages_erased ON messages (session_id, id) WHERE erased_at > 0;
