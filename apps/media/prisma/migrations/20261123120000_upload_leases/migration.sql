-- Who checks an upload, and until when nobody else does; until when a removal that began is left to who began it.
ALTER TABLE "upload"
    ADD COLUMN "checking_by" UUID,
    ADD COLUMN "checking_until" TIMESTAMPTZ(3),
    ADD COLUMN "removing_until" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "upload_removing_until_idx" ON "upload"("removing_until");
