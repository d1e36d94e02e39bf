-- CreateTable
CREATE TABLE "upload" (
    "id" UUID NOT NULL,
    "uid" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "picture" JSONB,
    "refusal" JSONB,
    "held_until" TIMESTAMPTZ(3),
    "remove_after" TIMESTAMPTZ(3),

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attachment" (
    "owner_kind" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "upload_id" UUID,
    "version" INTEGER NOT NULL,

    CONSTRAINT "attachment_pkey" PRIMARY KEY ("owner_kind","owner_id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "event_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "headers" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox" (
    "event_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "upload_uid_created_at_idx" ON "upload"("uid", "created_at");

-- CreateIndex
CREATE INDEX "upload_remove_after_idx" ON "upload"("remove_after");

-- CreateIndex
CREATE INDEX "attachment_upload_id_idx" ON "attachment"("upload_id");

-- CreateIndex
CREATE INDEX "inbox_received_at_idx" ON "inbox"("received_at");


