-- Rows whose search text was folded otherwise than now: it begins with the mark of search-text.ts. A sweeper of creators folds
-- these again, also those that replicas of the release before write during a rollout. Both indexes are empty after that.
CREATE INDEX creator_unfolded_idx ON creator (uid) WHERE left(search_text, 1) <> U&'\001e';
CREATE INDEX offering_title_unfolded_idx ON offering_title (creator_id)
  WHERE search_text <> '' AND left(search_text, 1) <> U&'\001e';
