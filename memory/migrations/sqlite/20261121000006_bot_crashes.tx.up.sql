-- Turns over a row that ended with the process, which is not the row's fault as a rule.
ALTER TABLE inbox ADD COLUMN crashes BIGINT NOT NULL DEFAULT 0;
