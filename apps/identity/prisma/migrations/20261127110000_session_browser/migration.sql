-- Which browser a session is of, as long as the session may go on.
CREATE TABLE session_browser (
  session_id text NOT NULL,
  uid        uuid NOT NULL,
  browser    text NOT NULL,
  seen_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT session_browser_pkey PRIMARY KEY (session_id)
);
CREATE INDEX session_browser_uid_idx ON session_browser (uid);
CREATE INDEX session_browser_seen_at_idx ON session_browser (seen_at);
