-- How often a creator's pages were visited, by day. With the creator it goes, whichever release removes the account.
CREATE TABLE visit_count (
  creator_id uuid NOT NULL,
  day        date NOT NULL,
  kind       text NOT NULL,
  subject    text NOT NULL,
  count      bigint NOT NULL,
  visitors   bigint NOT NULL,
  CONSTRAINT visit_count_pkey PRIMARY KEY (creator_id, day, kind, subject),
  CONSTRAINT visit_count_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX visit_count_day_idx ON visit_count (day);

-- Who was counted today, as hashes whose key is forgotten with the day, as these are.
CREATE TABLE day_visitor (
  creator_id uuid NOT NULL,
  day        date NOT NULL,
  kind       text NOT NULL,
  subject    text NOT NULL,
  visitor    text NOT NULL,
  CONSTRAINT day_visitor_pkey PRIMARY KEY (creator_id, day, kind, subject, visitor),
  CONSTRAINT day_visitor_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX day_visitor_day_idx ON day_visitor (day);

-- Which visits were counted, until none of them can come again.
CREATE TABLE counted_visit (
  id  uuid NOT NULL,
  day date NOT NULL,
  CONSTRAINT counted_visit_pkey PRIMARY KEY (id)
);
CREATE INDEX counted_visit_day_idx ON counted_visit (day);
