-- CreateTable
CREATE TABLE "link_change" (
    "id" UUID NOT NULL,
    "uid" UUID NOT NULL,
    "offering_id" UUID,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "undone_at" TIMESTAMPTZ(3),
    "mail_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "token_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "link_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "link_change_uid_at_idx" ON "link_change"("uid", "at" DESC);

-- CreateIndex
CREATE INDEX "link_change_at_idx" ON "link_change"("at");

-- CreateIndex
CREATE INDEX "link_change_mail_due_at_idx" ON "link_change"("mail_due_at");

-- CreateIndex
CREATE INDEX "link_change_token_hashes_idx" ON "link_change" USING GIN ("token_hashes");
