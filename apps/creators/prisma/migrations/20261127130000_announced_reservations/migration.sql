-- When a reserved username was announced last: those of before were not.
ALTER TABLE reserved_username ADD COLUMN announced_at timestamptz(3) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00';
CREATE INDEX reserved_username_announced_at_idx ON reserved_username (announced_at);
