-- AlterTable
ALTER TABLE "message" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "proved_address" (
    "creator_id" UUID NOT NULL,
    "email" TEXT NOT NULL,

    CONSTRAINT "proved_address_pkey" PRIMARY KEY ("creator_id")
);
