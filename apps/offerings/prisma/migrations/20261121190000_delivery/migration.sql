ALTER TABLE "offering"
    ADD COLUMN "file" JSONB,
    ADD COLUMN "delivery_key" TEXT;

-- Two random UUIDs carry 244 random bits; new keys are made by the service.
UPDATE "offering" SET "delivery_key" = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
ALTER TABLE "offering" ALTER COLUMN "delivery_key" SET NOT NULL;
