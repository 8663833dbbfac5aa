-- Whether a document is a picture: it has no pages, and only what a model is sent of it is kept.
ALTER TABLE documents ADD COLUMN picture BOOLEAN NOT NULL DEFAULT FALSE;
