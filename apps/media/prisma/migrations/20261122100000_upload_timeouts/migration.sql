-- How often the check of an upload took too long: once may be the machine's fault.
ALTER TABLE "upload" ADD COLUMN "timeouts" INTEGER NOT NULL DEFAULT 0;
