-- AlterTable
ALTER TABLE "link_change" ADD COLUMN     "mailed_at" TIMESTAMPTZ(3);
