-- What visitors see each offering called, folded for search; empty where they do not see it. Versions settle what comes late.
CREATE TABLE offering_title (
  offering_id uuid NOT NULL,
  creator_id  uuid NOT NULL,
  search_text text NOT NULL,
  version     integer NOT NULL,
  listed_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT offering_title_pkey PRIMARY KEY (offering_id)
);
CREATE INDEX offering_title_creator_id_idx ON offering_title (creator_id);
-- What is shown no more, until nothing can come late of it.
CREATE INDEX offering_title_unseen_idx ON offering_title (listed_at) WHERE search_text = '';

-- The titles of a creator, beside what a search looks through, so that who edits the profile puts them back there.
ALTER TABLE creator ADD COLUMN title_text text NOT NULL DEFAULT '';

-- By the database, since replicas of the release before write search_text without titles during a rollout. The sign between is
-- in no text of a creator, and neither is it in a query.
CREATE FUNCTION search_titles_too() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := split_part(NEW.search_text, E'\x1f', 1)
    || CASE WHEN NEW.title_text = '' THEN '' ELSE E'\x1f' || NEW.title_text END;
  RETURN NEW;
END
$$;
CREATE TRIGGER creator_search_titles_too BEFORE INSERT OR UPDATE OF search_text, title_text ON creator
  FOR EACH ROW EXECUTE FUNCTION search_titles_too();
