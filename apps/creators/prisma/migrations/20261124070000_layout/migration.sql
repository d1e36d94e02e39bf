-- How the offerings stand on a creator's profile; the default is how every profile stood before.
ALTER TABLE creator ADD COLUMN layout text NOT NULL DEFAULT 'cards';
