-- Pages whose links are to be announced as they are now.
CREATE TABLE unlisted_page (
  id uuid NOT NULL,
  CONSTRAINT unlisted_page_pkey PRIMARY KEY (id)
);

-- By the database, so that what the release before changes during a rollout is announced too.
CREATE FUNCTION note_unlisted_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlisted_page (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER offering_links_unlisted AFTER INSERT OR UPDATE OF version ON offering
  FOR EACH ROW EXECUTE FUNCTION note_unlisted_page();
