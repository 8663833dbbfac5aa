-- hash: SHA-256 of the text, '' for revisions from before. An edit erases what it removes, so that
-- no old text is kept; the file forgets those there are when it is opened next ("scrub pending").
ALTER TABLE revisions ADD COLUMN hash TEXT NOT NULL DEFAULT '';

--bun:split

INSERT INTO settings (scope, name, value)
SELECT '', 'scrub pending', '1' WHERE EXISTS (SELECT 1 FROM revisions WHERE text <> '')
ON CONFLICT (scope, name) DO UPDATE SET value = CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT);

--bun:split

UPDATE revisions SET text = '';
