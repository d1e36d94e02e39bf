-- How soon an operator should look at a case, and which version of its page was dismissed.
ALTER TABLE review_case ADD COLUMN priority integer NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN page_version integer;
CREATE INDEX review_case_status_priority_opened_at_idx ON review_case (status, priority DESC, opened_at);

-- From which networks cases were reported within a day.
CREATE TABLE report_source (
  case_id uuid NOT NULL REFERENCES review_case (id) ON DELETE CASCADE ON UPDATE CASCADE,
  source text NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (case_id, source)
);
CREATE INDEX report_source_source_at_idx ON report_source (source, at);
CREATE INDEX report_source_at_idx ON report_source (at);
