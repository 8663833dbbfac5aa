-- What calls of a model took, added up by day (its beginning in UTC), person, channel (0 for nobody and no place), model and
-- purpose. Money is in millionths. No erasure takes it back: it names no words.
CREATE TABLE spending (
    day               BIGINT  NOT NULL,
    person_id         BIGINT  NOT NULL,
    channel_id        BIGINT  NOT NULL,
    model             TEXT    NOT NULL,
    purpose           TEXT    NOT NULL,
    calls             BIGINT  NOT NULL,
    prompt_tokens     BIGINT  NOT NULL,
    completion_tokens BIGINT  NOT NULL,
    cached_tokens     BIGINT  NOT NULL,
    micros            BIGINT  NOT NULL,
    PRIMARY KEY (day, person_id, channel_id, model, purpose)
);
