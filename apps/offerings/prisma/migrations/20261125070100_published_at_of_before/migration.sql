-- Commits by itself: a batch at a time, so that nobody waits for longer than one batch takes.
-- What is no draft was seen by visitors, and nobody noted since when: it is as old as its row.
DO $$
DECLARE
  last UUID := '00000000-0000-0000-0000-000000000000';
  batch UUID[];
BEGIN
  LOOP
    batch := ARRAY(SELECT id FROM offering WHERE id > last ORDER BY id LIMIT 1000);
    EXIT WHEN cardinality(batch) = 0;
    UPDATE offering SET published_at = created_at
     WHERE id = ANY (batch) AND published_at IS NULL AND state <> 'draft';
    last := batch[cardinality(batch)];
    COMMIT;
  END LOOP;
END
$$;
