-- Whether guests take part in a channel is asked with every audience.
CREATE INDEX messages_person ON messages (person_id, channel_id);

--bun:split

CREATE INDEX people_guests ON people (id) WHERE kind = 'guest';
