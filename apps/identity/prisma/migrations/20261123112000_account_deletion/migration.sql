-- CreateTable
CREATE TABLE "account_deletion" (
    "id" UUID NOT NULL,
    "uid" UUID NOT NULL,
    "address" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),
    "erased" JSONB NOT NULL DEFAULT '{}',
    "finished_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_deletion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_deletion_uid_key" ON "account_deletion"("uid");

-- CreateIndex
CREATE INDEX "account_deletion_finished_at_next_try_at_idx" ON "account_deletion"("finished_at", "next_try_at");
