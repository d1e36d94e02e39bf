-- How often a log-in to an account failed within a day, as long as that is counted.
CREATE TABLE failed_log_in (
  uid   uuid NOT NULL,
  since timestamptz(3) NOT NULL,
  tries integer NOT NULL,
  codes integer NOT NULL,
  CONSTRAINT failed_log_in_pkey PRIMARY KEY (uid)
);
CREATE INDEX failed_log_in_since_idx ON failed_log_in (since);

-- What an owner is mailed about them, until the mail server has taken it.
CREATE TABLE log_in_warning (
  id          uuid NOT NULL,
  uid         uuid NOT NULL,
  since       timestamptz(3) NOT NULL,
  tries       integer NOT NULL,
  codes       integer NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT log_in_warning_pkey PRIMARY KEY (id)
);
CREATE INDEX log_in_warning_next_try_at_idx ON log_in_warning (next_try_at);
CREATE INDEX log_in_warning_uid_idx ON log_in_warning (uid);
