-- CreateTable
CREATE TABLE "preview_card" (
    "path" TEXT NOT NULL,
    "uid" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "drawn_at" TIMESTAMPTZ(3),
    "drawing_by" UUID,
    "drawing_until" TIMESTAMPTZ(3),
    "removing_until" TIMESTAMPTZ(3),
    "remove_after" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "preview_card_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "withdrawn_card" (
    "owner_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "withdrawn_card_pkey" PRIMARY KEY ("owner_id")
);

-- CreateIndex
CREATE INDEX "preview_card_uid_idx" ON "preview_card"("uid");

-- CreateIndex
CREATE INDEX "preview_card_owner_id_idx" ON "preview_card"("owner_id");

-- CreateIndex
CREATE INDEX "preview_card_remove_after_idx" ON "preview_card"("remove_after");

-- CreateIndex
CREATE INDEX "withdrawn_card_until_idx" ON "withdrawn_card"("until");
