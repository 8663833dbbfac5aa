-- valid_to is until when a fact holds, and no longer since when another has its place: what was replaced may come back.
UPDATE facts SET valid_to = 0 WHERE superseded_by > 0;
