-- Where the quote stands in a file without pages: rows, lines or a slide; '' for a page.
ALTER TABLE citations ADD COLUMN place TEXT NOT NULL DEFAULT '';
