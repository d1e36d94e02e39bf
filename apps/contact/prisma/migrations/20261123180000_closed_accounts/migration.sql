-- CreateTable
CREATE TABLE "closed_account" (
    "uid" UUID NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "closed_account_pkey" PRIMARY KEY ("uid")
);
