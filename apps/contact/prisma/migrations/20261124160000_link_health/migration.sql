-- The links that visitors see, and what looks at them have shown.
CREATE TABLE linked_page (
  id          uuid NOT NULL,
  uid         uuid NOT NULL,
  offering_id uuid,
  title       text NOT NULL,
  version     integer NOT NULL,
  gone_at     timestamptz(3),
  CONSTRAINT linked_page_pkey PRIMARY KEY (id)
);
CREATE INDEX linked_page_uid_idx ON linked_page (uid);
CREATE INDEX linked_page_gone_at_idx ON linked_page (gone_at);

CREATE TABLE checked_link (
  id            uuid NOT NULL,
  page_id       uuid NOT NULL,
  kind          text NOT NULL,
  label         text NOT NULL,
  url           text NOT NULL,
  host          text NOT NULL,
  next_look_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  leased_until  timestamptz(3),
  looked_at     timestamptz(3),
  asked_at      timestamptz(3),
  failures      integer NOT NULL DEFAULT 0,
  finding       text,
  failing_since timestamptz(3),
  counted_at    timestamptz(3),
  dead_since    timestamptz(3),
  told_at       timestamptz(3),
  CONSTRAINT checked_link_pkey PRIMARY KEY (id),
  CONSTRAINT checked_link_page_id_fkey FOREIGN KEY (page_id) REFERENCES linked_page (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX checked_link_page_id_idx ON checked_link (page_id);
CREATE INDEX checked_link_next_look_at_idx ON checked_link (next_look_at);
CREATE INDEX checked_link_host_idx ON checked_link (host);
CREATE INDEX checked_link_dead_since_idx ON checked_link (dead_since);
