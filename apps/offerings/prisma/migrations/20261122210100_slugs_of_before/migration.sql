-- Commits by itself: a batch at a time, so that nobody waits for longer than one batch takes.
-- As slugBase() in src/slug.ts says it. What was filled already is left, so that it may be run again.
DO $$
DECLARE
  item RECORD;
  base TEXT;
  free TEXT;
  number INT;
  last UUID := '00000000-0000-0000-0000-000000000000';
  done BOOLEAN;
BEGIN
  LOOP
    done := true;
    FOR item IN
      SELECT id, creator_id, title, slug FROM offering WHERE id > last ORDER BY id LIMIT 1000 FOR UPDATE
    LOOP
      done := false;
      last := item.id;
      CONTINUE WHEN item.slug IS NOT NULL;
      base := lower(translate(regexp_replace(normalize(item.title, NFKD), '[\u0300-\u036f''’]', '', 'g'),
        'ØøŁłĐđÐðı', 'OoLlDdDdi'));
      base := replace(replace(replace(replace(base, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      base := replace(replace(replace(base, 'Æ', 'ae'), 'Œ', 'oe'), 'Þ', 'th');
      base := trim(BOTH '-' FROM left(trim(BOTH '-' FROM regexp_replace(base, '[^a-z0-9]+', '-', 'g')), 60));
      base := coalesce(nullif(base, ''), 'offering');
      number := CASE base WHEN 'contact' THEN 2 ELSE 1 END;
      LOOP
        free := base || CASE number WHEN 1 THEN '' ELSE '-' || number END;
        INSERT INTO offering_slug (creator_id, slug, offering_id) VALUES (item.creator_id, free, item.id)
          ON CONFLICT DO NOTHING;
        EXIT WHEN FOUND;
        number := number + 1;
      END LOOP;
      UPDATE offering SET slug = free WHERE id = item.id;
    END LOOP;
    COMMIT;
    EXIT WHEN done;
  END LOOP;
END
$$;
