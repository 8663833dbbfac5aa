-- How sure the reading of a page from its picture is, 1 to 100; 0 = unknown, or not read from a picture.
ALTER TABLE pages ADD COLUMN certainty INTEGER NOT NULL DEFAULT 0;
