-- CreateTable
CREATE TABLE "unproved_mail" (
    "id" BIGSERIAL NOT NULL,
    "recipient" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unproved_mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "unproved_mail_recipient_at_idx" ON "unproved_mail"("recipient", "at");

-- CreateIndex
CREATE INDEX "unproved_mail_at_idx" ON "unproved_mail"("at");
