-- Uploads of files, beside those of pictures. The default is for the release before, which tells no size.
ALTER TABLE "upload"
    ADD COLUMN "filename" TEXT,
    ADD COLUMN "content_type" TEXT,
    ADD COLUMN "size" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "file" JSONB;
