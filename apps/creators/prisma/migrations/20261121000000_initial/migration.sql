CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "creator" (
    "uid" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "bio" TEXT NOT NULL DEFAULT '',
    "profile_image" JSONB,
    "header_image" JSONB,
    "paygates" JSONB NOT NULL DEFAULT '[]',
    "social_links" JSONB NOT NULL DEFAULT '{}',
    "niches" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "creator_pkey" PRIMARY KEY ("uid")
);

-- CreateTable
CREATE TABLE "offering_count" (
    "creator_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "offering_count_pkey" PRIMARY KEY ("creator_id")
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
CREATE UNIQUE INDEX "creator_username_key" ON "creator"("username");

-- CreateIndex
CREATE INDEX "creator_created_at_uid_idx" ON "creator"("created_at" DESC, "uid" DESC);

-- CreateIndex
CREATE INDEX "creator_search_text_idx" ON "creator" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "creator_niches_idx" ON "creator" USING GIN ("niches");

-- CreateIndex
CREATE INDEX "inbox_received_at_idx" ON "inbox"("received_at");


