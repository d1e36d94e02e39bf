-- Links of a creator's own choice, beside those to the networks that every profile has a field for.
ALTER TABLE creator ADD COLUMN links jsonb NOT NULL DEFAULT '[]';
