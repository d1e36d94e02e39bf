-- CreateTable
CREATE TABLE "account_export" (
    "id" UUID NOT NULL,
    "uid" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3),
    "ready_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "remove_after" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_part" (
    "export_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content" JSONB NOT NULL,

    CONSTRAINT "export_part_pkey" PRIMARY KEY ("export_id","name"),
    CONSTRAINT "export_part_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "account_export"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "account_export_uid_requested_at_idx" ON "account_export"("uid", "requested_at");

-- CreateIndex
CREATE INDEX "account_export_next_try_at_idx" ON "account_export"("next_try_at");
