-- Pages whose links are to be announced as they are now.
CREATE TABLE unlisted_page (
  id uuid NOT NULL,
  CONSTRAINT unlisted_page_pkey PRIMARY KEY (id)
);

-- By the database, so that what the release before changes during a rollout is announced too.
CREATE FUNCTION note_unlisted_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is noted already: the row is locked until this change is there to be read.
  INSERT INTO unlisted_page (id) VALUES (NEW.uid) ON CONFLICT (id) DO UPDATE SET id = excluded.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER creator_links_unlisted AFTER INSERT OR UPDATE OF version ON creator
  FOR EACH ROW EXECUTE FUNCTION note_unlisted_page();
