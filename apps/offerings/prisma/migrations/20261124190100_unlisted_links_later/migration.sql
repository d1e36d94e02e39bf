-- When the links of a page are to be announced: those of a workshop once more when it is over.
ALTER TABLE unlisted_page ADD COLUMN due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- A change is announced at once, whatever is to be announced later.
CREATE OR REPLACE FUNCTION note_unlisted_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is noted already: the row is locked until this change is there to be read.
  INSERT INTO unlisted_page (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at;
  RETURN NULL;
END
$$;
