-- Since when something may have been missed of a part of a platform. Before, it was a setting.
CREATE TABLE cursors (
    platform TEXT   NOT NULL,
    part     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (platform, part)
);

--bun:split

INSERT INTO cursors (platform, part, at)
    SELECT SUBSTR(scope, 10, INSTR(scope, '/') - 10), SUBSTR(scope, INSTR(scope, '/') + 1), CAST(value AS BIGINT)
    FROM settings WHERE name = 'missed since' AND scope LIKE 'platform:%/%' AND value <> '';

--bun:split

DELETE FROM settings WHERE name = 'missed since' AND scope LIKE 'platform:%/%';
