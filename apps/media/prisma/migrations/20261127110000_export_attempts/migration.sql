-- AlterTable
ALTER TABLE "account_export" ADD COLUMN "collect_attempts" INTEGER NOT NULL DEFAULT 0;
