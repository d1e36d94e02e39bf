-- Commits by itself: a batch at a time, so that nobody waits for longer than one batch takes.
-- Announced once more, for who looks for offerings by their titles: what was announced before said it to nobody who kept it.
DO $$
DECLARE
  last UUID := '00000000-0000-0000-0000-000000000000';
  batch UUID[];
BEGIN
  LOOP
    batch := ARRAY(SELECT id FROM offering WHERE id > last ORDER BY id LIMIT 1000);
    EXIT WHEN cardinality(batch) = 0;
    INSERT INTO unlisted_page (id) SELECT unnest(batch) ON CONFLICT DO NOTHING;
    last := batch[cardinality(batch)];
    COMMIT;
  END LOOP;
END
$$;
