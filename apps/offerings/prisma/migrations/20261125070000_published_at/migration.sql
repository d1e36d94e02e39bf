-- When visitors saw an offering first. By a trigger, so that also what the release before publishes has it.
ALTER TABLE "offering" ADD COLUMN     "published_at" TIMESTAMPTZ(3);

CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_public BOOLEAN := TG_OP = 'UPDATE' AND OLD.state IN ('published', 'sold_out') AND NOT OLD.taken_down;
BEGIN
  IF NEW.state IN ('published', 'sold_out') AND NOT NEW.taken_down THEN
    -- What was public before this column came is as old as its row.
    NEW.published_at := CASE WHEN TG_OP = 'UPDATE' AND NOT was_public THEN now() ELSE NEW.created_at END;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER offering_published BEFORE INSERT OR UPDATE ON offering
  FOR EACH ROW WHEN (NEW.published_at IS NULL) EXECUTE FUNCTION note_publication();
