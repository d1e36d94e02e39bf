-- Whether an operator has hidden the offering, apart from what its owner has made of it; the release before shows it during a rollout.
ALTER TABLE offering ADD COLUMN taken_down boolean NOT NULL DEFAULT false;
-- Of which decision that is.
ALTER TABLE offering ADD COLUMN reviewed_at timestamptz(3);
