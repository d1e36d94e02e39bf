-- Two random UUIDs carry 244 random bits. The service makes its own keys; the default is for offerings from before
-- and for those that the release before makes during a rollout.
ALTER TABLE "offering"
    ADD COLUMN "file" JSONB,
    ADD COLUMN "delivery_key" TEXT NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
