-- answered_with: the interaction whose answer stood for this one too, 0 if it had its own.
ALTER TABLE interactions ADD COLUMN answered_with BIGINT NOT NULL DEFAULT 0;
