-- AlterTable
ALTER TABLE "account" ADD COLUMN "proved_email" TEXT;

-- An address that is known as proved when this comes may be changed before its owner is seen again.
UPDATE "account" SET "proved_email" = "email" WHERE "email_verified";

-- CreateTable
CREATE TABLE "account_change" (
    "id" BIGSERIAL NOT NULL,
    "uid" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "account_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_change_uid_idx" ON "account_change"("uid");

-- CreateIndex
CREATE INDEX "account_change_token_hashes_idx" ON "account_change" USING GIN ("token_hashes");
