-- The wider network that a message came from, as a keyed hash, for as long as its sender is known.
ALTER TABLE message ADD COLUMN network text;
