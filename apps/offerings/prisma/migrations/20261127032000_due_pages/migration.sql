-- Every replica asks every 5 s for what is due. Workshops that are to come wait here for months.
CREATE INDEX "unlisted_page_due_at_id_idx" ON "unlisted_page"("due_at", "id");
