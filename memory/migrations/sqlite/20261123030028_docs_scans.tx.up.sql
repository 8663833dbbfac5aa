-- Where the words of a page stand that was read from its picture: left, top, right and bottom of each, in 65,535ths of the
-- page, 16 bits each. NULL for a page with text, and for a picture that was not read yet.
ALTER TABLE pages ADD COLUMN boxes BLOB;

--bun:split

CREATE INDEX pages_unread ON pages (content_id, number) WHERE scanned AND boxes IS NULL AND failed = '';
