-- The letter of the cited document in a comparison, 'A' for the first; '' elsewhere.
ALTER TABLE citations ADD COLUMN letter TEXT NOT NULL DEFAULT '';
