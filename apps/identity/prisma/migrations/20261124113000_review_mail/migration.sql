-- What a creator is to be told of an operator's decision, until the mail server has taken it.
CREATE TABLE review_mail (
  id          uuid NOT NULL,
  uid         uuid NOT NULL,
  outcome     text NOT NULL,
  title       text,
  reason      text,
  text        text NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT review_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX review_mail_next_try_at_idx ON review_mail (next_try_at);
CREATE INDEX review_mail_uid_idx ON review_mail (uid);
