-- Never written: this service announces nothing. The release before only looked whether there was something in it.
-- DropTable
DROP TABLE "outbox";
