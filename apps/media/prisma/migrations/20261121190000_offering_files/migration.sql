-- Uploads of files, beside those of pictures.
ALTER TABLE "upload"
    ADD COLUMN "filename" TEXT,
    ADD COLUMN "content_type" TEXT,
    ADD COLUMN "size" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "file" JSONB;
ALTER TABLE "upload" ALTER COLUMN "size" DROP DEFAULT;

-- An offering uses two uploads, a cover and a file: what a record uses is told by purpose.
ALTER TABLE "attachment" DROP CONSTRAINT "attachment_pkey";
ALTER TABLE "attachment" RENAME COLUMN "owner_kind" TO "purpose";
UPDATE "attachment" SET "purpose" = CASE "purpose" WHEN 'creator' THEN 'profile-picture' ELSE 'offering-cover' END;
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_pkey" PRIMARY KEY ("purpose", "owner_id");
