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

-- What visitors saw last of offerings that are hidden now. The service spells these links as payees when it reads them.
INSERT INTO "payee" ("creator_id", "source", "payee", "since", "ended_at", "as_of")
SELECT DISTINCT ON (creator_id, url) creator_id, 'offerings', url, created_at, updated_at, 0
  FROM (SELECT *, coalesce(public_payment_url, CASE WHEN state <> 'draft' THEN payment_url END) AS url FROM "offering") AS known
 WHERE state NOT IN ('published', 'sold_out') AND octet_length(url) <= 2048 AND updated_at > now() - interval '90 days'
 ORDER BY creator_id, url, updated_at DESC;
