-- AlterTable
ALTER TABLE "message" ADD COLUMN     "refused" BOOLEAN NOT NULL DEFAULT false;
