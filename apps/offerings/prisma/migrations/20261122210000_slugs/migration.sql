-- AlterTable
ALTER TABLE "offering" ADD COLUMN     "slug" TEXT;

-- CreateTable
CREATE TABLE "offering_slug" (
    "creator_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "offering_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "offering_slug_pkey" PRIMARY KEY ("creator_id","slug")
);

-- CreateIndex
CREATE INDEX "offering_slug_offering_id_idx" ON "offering_slug"("offering_id");

-- AddForeignKey
ALTER TABLE "offering_slug" ADD CONSTRAINT "offering_slug_offering_id_fkey" FOREIGN KEY ("offering_id") REFERENCES "offering"("id") ON DELETE CASCADE ON UPDATE CASCADE;
