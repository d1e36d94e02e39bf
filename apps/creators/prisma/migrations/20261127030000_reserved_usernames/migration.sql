-- Usernames of closed accounts that nobody may take yet, or ever.
CREATE TABLE reserved_username (
  username text PRIMARY KEY,
  until timestamptz(3)
);
CREATE INDEX reserved_username_until_idx ON reserved_username (until);
