-- AlterTable
ALTER TABLE "message" ADD COLUMN     "creator_id" UUID,
ADD COLUMN     "sender" TEXT,
ADD COLUMN     "to" JSONB;

-- CreateIndex
CREATE INDEX "message_sender_received_at_idx" ON "message"("sender", "received_at");

-- CreateIndex
CREATE INDEX "message_creator_id_received_at_idx" ON "message"("creator_id", "received_at");
