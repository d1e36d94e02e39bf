-- The number of the newest count that was told; the release before adds and subtracts without one.
ALTER TABLE offering_count ADD COLUMN as_of bigint NOT NULL DEFAULT 0;
