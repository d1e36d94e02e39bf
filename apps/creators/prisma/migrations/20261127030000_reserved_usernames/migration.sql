-- Usernames of closed accounts that nobody may take yet, or ever, as SHA-256 in hex: no name is left of who has gone.
CREATE TABLE reserved_username (
  hash text PRIMARY KEY,
  until timestamptz(3)
);
CREATE INDEX reserved_username_until_idx ON reserved_username (until);
