-- AlterTable
ALTER TABLE "withdrawn_card" ADD COLUMN "position" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "known_until" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "withdrawn_card_known_until_idx" ON "withdrawn_card"("known_until");
