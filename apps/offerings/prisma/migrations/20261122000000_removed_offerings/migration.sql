-- The form chooses an offering's id, so that a late repeat could bring back one that was removed meanwhile: others
-- follow offerings by id and version and would take its first version for an old one.
CREATE TABLE "removed_offering" (
    "id" UUID NOT NULL,

    CONSTRAINT "removed_offering_pkey" PRIMARY KEY ("id")
);
