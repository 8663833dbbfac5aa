-- Headings that a PDF gives for a page: its bookmarks, and lines set larger or bolder than the rest.
ALTER TABLE pages ADD COLUMN headings TEXT NOT NULL DEFAULT '';
