-- CreateTable
CREATE TABLE "offering_order" (
    "creator_id" UUID NOT NULL,
    "ids" UUID[],
    "pinned_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "offering_order_pkey" PRIMARY KEY ("creator_id")
);
