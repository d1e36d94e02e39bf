-- CreateTable
CREATE TABLE "export_mail" (
    "id" UUID NOT NULL,
    "uid" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "export_mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "export_mail_next_try_at_idx" ON "export_mail"("next_try_at");

-- CreateIndex
CREATE INDEX "export_mail_uid_idx" ON "export_mail"("uid");
