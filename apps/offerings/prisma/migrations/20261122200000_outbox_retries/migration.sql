-- AlterTable
ALTER TABLE "outbox" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "retry_at" TIMESTAMPTZ(3);
