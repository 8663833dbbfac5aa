-- Whether the platform has said who may read a channel since the program began, and
-- since it may have changed; epoch grows with every doubt and every change.
ALTER TABLE channels ADD COLUMN unchecked BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

ALTER TABLE channels ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
