-- reason is why somebody found an answer unhelpful, '' if they did not say.
ALTER TABLE feedback ADD COLUMN reason TEXT NOT NULL DEFAULT '';
