-- Lists show complete profiles first. The count stands beside the profile, so that one index keeps that order.
ALTER TABLE "creator" ADD COLUMN "offering_count" INTEGER NOT NULL DEFAULT 0;

-- By the database, since replicas of the release before go on counting in the other table during a rollout.
CREATE FUNCTION copy_offering_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE creator SET offering_count = NEW.count WHERE uid = NEW.creator_id;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_offering_count AFTER INSERT OR UPDATE ON "offering_count"
    FOR EACH ROW EXECUTE FUNCTION copy_offering_count();

UPDATE "creator" SET "offering_count" = "count" FROM "offering_count" WHERE "creator_id" = "uid";

-- The second one for where profiles are public only once their address is proved. The index on "created_at" alone is
-- the release before's, and goes with the next one.
CREATE INDEX "creator_list_idx" ON "creator"
    (("profile_image" IS NOT NULL AND "bio" <> '' AND "offering_count" > 0), "created_at", "uid");
CREATE INDEX "creator_proved_list_idx" ON "creator"
    (("profile_image" IS NOT NULL AND "bio" <> '' AND "offering_count" > 0), "created_at", "uid")
    WHERE "email_verified";

-- A blank before each line, so that ' ab' is found where a word begins: see search-text.ts.
UPDATE "creator" SET "search_text" = ' ' || replace("search_text", E'\n', E'\n ') WHERE "search_text" NOT LIKE ' %';
