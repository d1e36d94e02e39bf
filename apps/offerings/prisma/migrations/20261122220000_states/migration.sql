-- What is there already stays as public as it was. A constant default writes no row.
ALTER TABLE "offering" ADD COLUMN     "state" TEXT NOT NULL DEFAULT 'published';
