-- Whether it is not certain that what an event says is for us: its turn may end in silence.
ALTER TABLE inbox ADD COLUMN overheard BOOLEAN NOT NULL DEFAULT FALSE;
