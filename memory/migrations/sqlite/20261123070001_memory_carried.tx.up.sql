-- What a person, or a channel, is known by in other conversations is looked for by these.
CREATE INDEX facts_person ON facts (person_id, state);

--bun:split

CREATE INDEX facts_channel ON facts (channel_id, state);

--bun:split

CREATE INDEX messages_said ON messages (person_id, id);
