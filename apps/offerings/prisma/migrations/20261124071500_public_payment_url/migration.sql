-- The link that visitors saw last, of an offering that is not public now.
ALTER TABLE "offering" ADD COLUMN     "public_payment_url" TEXT;
