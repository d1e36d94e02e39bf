-- AlterTable
ALTER TABLE "creator" ADD COLUMN     "contact_by" TEXT NOT NULL DEFAULT 'email';
