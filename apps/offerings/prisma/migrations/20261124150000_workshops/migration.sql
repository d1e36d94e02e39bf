-- When a workshop takes place, in whose time zone, and how many seats are left.
ALTER TABLE offering ADD COLUMN starts_at timestamptz(3);
ALTER TABLE offering ADD COLUMN ends_at timestamptz(3);
ALTER TABLE offering ADD COLUMN time_zone text;
ALTER TABLE offering ADD COLUMN seats integer;
