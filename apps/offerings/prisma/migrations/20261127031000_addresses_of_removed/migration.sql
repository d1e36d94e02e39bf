-- Addresses that visitors know of offerings that are gone: none of them ever leads to another offering.
CREATE TABLE "former_slug" (
    "creator_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "offering_id" UUID NOT NULL,

    CONSTRAINT "former_slug_pkey" PRIMARY KEY ("creator_id","slug")
);

-- By a trigger, so that also what the release before removes keeps its addresses.
CREATE FUNCTION keep_slugs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_slug (creator_id, slug, offering_id)
  SELECT creator_id, slug, offering_id FROM offering_slug WHERE offering_id = OLD.id
  ON CONFLICT DO NOTHING;
  RETURN OLD;
END
$$;

CREATE TRIGGER offering_slugs_kept BEFORE DELETE ON offering
  FOR EACH ROW WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION keep_slugs();

-- Whose an offering was that visitors had seen.
ALTER TABLE "removed_offering" ADD COLUMN     "creator_id" UUID;

-- CreateIndex
CREATE INDEX "removed_offering_creator_id_idx" ON "removed_offering"("creator_id");
