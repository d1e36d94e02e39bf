-- Reports of a case that were counted and not kept: there are as many steps of reports already as a case keeps.
ALTER TABLE review_case ADD COLUMN further_reports integer NOT NULL DEFAULT 0;
