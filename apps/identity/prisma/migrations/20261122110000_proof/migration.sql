-- AlterTable
ALTER TABLE "account" ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "proof_mailed_at" TIMESTAMPTZ(3);
