-- CreateTable
CREATE TABLE "payee" (
    "creator_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "payee" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "distrusted" BOOLEAN NOT NULL DEFAULT false,
    "as_of" BIGINT NOT NULL,

    CONSTRAINT "payee_pkey" PRIMARY KEY ("creator_id","source","payee")
);

-- CreateIndex
CREATE INDEX "payee_ended_at_idx" ON "payee"("ended_at");
