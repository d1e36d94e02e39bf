-- Which dead links a creator is to be told of, until the mail server has taken it.
CREATE TABLE dead_link_mail (
  id          uuid NOT NULL,
  uid         uuid NOT NULL,
  links       jsonb NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT dead_link_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX dead_link_mail_next_try_at_idx ON dead_link_mail (next_try_at);
CREATE INDEX dead_link_mail_uid_idx ON dead_link_mail (uid);
