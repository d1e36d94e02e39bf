-- AlterTable
ALTER TABLE "creator" ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false;
