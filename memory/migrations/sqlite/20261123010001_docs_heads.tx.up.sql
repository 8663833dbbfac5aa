-- The head of the table in the middle of which a passage begins: caption, units and titles of columns, one a line.
ALTER TABLE passages ADD COLUMN head TEXT NOT NULL DEFAULT '';
