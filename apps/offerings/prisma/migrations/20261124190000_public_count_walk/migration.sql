-- How far the telling of counts has come; one row.
CREATE TABLE public_count_walk (
  id int NOT NULL,
  after uuid,
  as_of bigint NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_page_at timestamptz(3) NOT NULL,
  CONSTRAINT public_count_walk_pkey PRIMARY KEY (id)
);
