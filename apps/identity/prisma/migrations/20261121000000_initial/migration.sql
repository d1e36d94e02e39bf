-- Accounts: a copy of what Keycloak knows of each, and what identity alone keeps.
CREATE TABLE account (
  uid               uuid PRIMARY KEY,
  username          text NOT NULL,
  email             text NOT NULL,
  terms_accepted_at timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email_verified    boolean NOT NULL DEFAULT false,
  proof_mailed_at   timestamptz(3),
  proved_email      text,
  claims_issued_at  timestamptz(3) NOT NULL,
  undo_leased_by    text,
  undo_leased_until timestamptz(3),
  display_name      text,
  profile_version   integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX account_username_key ON account (username);

-- The browser of each session, as long as the session may go on.
CREATE TABLE session_browser (
  session_id text PRIMARY KEY,
  uid        uuid NOT NULL,
  browser    text NOT NULL,
  seen_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX session_browser_uid_idx ON session_browser (uid);
CREATE INDEX session_browser_seen_at_idx ON session_browser (seen_at);

-- Changes that an owner can undo: of the address or password, and of payment links.
CREATE TABLE account_change (
  id           bigserial PRIMARY KEY,
  uid          uuid NOT NULL,
  kind         text NOT NULL,
  address      text NOT NULL,
  at           timestamptz(3) NOT NULL,
  mailed_at    timestamptz(3),
  next_try_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  token_hashes text[] DEFAULT ARRAY[]::text[]
);
CREATE INDEX account_change_uid_idx ON account_change (uid);
CREATE INDEX account_change_at_idx ON account_change (at);
CREATE INDEX account_change_token_hashes_idx ON account_change USING gin (token_hashes);
CREATE INDEX account_change_unmailed_idx ON account_change (next_try_at) WHERE mailed_at IS NULL;

CREATE TABLE link_change (
  id           uuid PRIMARY KEY,
  uid          uuid NOT NULL,
  offering_id  uuid,
  before       jsonb NOT NULL,
  after        jsonb NOT NULL,
  at           timestamptz(3) NOT NULL,
  undone_at    timestamptz(3),
  mail_due_at  timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  token_hashes text[] DEFAULT ARRAY[]::text[],
  mailed_at    timestamptz(3)
);
CREATE INDEX link_change_uid_at_idx ON link_change (uid, at DESC);
CREATE INDEX link_change_at_idx ON link_change (at);
CREATE INDEX link_change_mail_due_at_idx ON link_change (mail_due_at);
CREATE INDEX link_change_token_hashes_idx ON link_change USING gin (token_hashes);

-- Deletions of accounts, each with what every service has removed.
CREATE TABLE account_deletion (
  id           uuid PRIMARY KEY,
  uid          uuid NOT NULL,
  address      text,
  display_name text,
  requested_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  removed_at   timestamptz(3),
  erased       jsonb NOT NULL DEFAULT '{}',
  finished_at  timestamptz(3),
  attempts     integer NOT NULL DEFAULT 0,
  next_try_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX account_deletion_uid_key ON account_deletion (uid);
CREATE INDEX account_deletion_finished_at_next_try_at_idx ON account_deletion (finished_at, next_try_at);

-- Mails that wait until the mail server has taken them, one table for each kind.
CREATE TABLE export_mail (
  id          uuid PRIMARY KEY,
  uid         uuid NOT NULL,
  expires_at  timestamptz(3),
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX export_mail_next_try_at_idx ON export_mail (next_try_at);
CREATE INDEX export_mail_uid_idx ON export_mail (uid);
CREATE INDEX export_mail_expires_at_idx ON export_mail (expires_at);

CREATE TABLE review_mail (
  id          uuid PRIMARY KEY,
  uid         uuid NOT NULL,
  outcome     text NOT NULL,
  title       text,
  reason      text,
  text        text NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX review_mail_next_try_at_idx ON review_mail (next_try_at);
CREATE INDEX review_mail_uid_idx ON review_mail (uid);
CREATE INDEX review_mail_made_at_idx ON review_mail (made_at);

CREATE TABLE dead_link_mail (
  id          uuid PRIMARY KEY,
  uid         uuid NOT NULL,
  links       jsonb NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX dead_link_mail_next_try_at_idx ON dead_link_mail (next_try_at);
CREATE INDEX dead_link_mail_uid_idx ON dead_link_mail (uid);
CREATE INDEX dead_link_mail_made_at_idx ON dead_link_mail (made_at);

CREATE TABLE log_in_warning (
  id          uuid PRIMARY KEY,
  uid         uuid NOT NULL,
  since       timestamptz(3) NOT NULL,
  tries       integer NOT NULL,
  codes       integer NOT NULL,
  made_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX log_in_warning_next_try_at_idx ON log_in_warning (next_try_at);
CREATE INDEX log_in_warning_uid_idx ON log_in_warning (uid);
CREATE INDEX log_in_warning_made_at_idx ON log_in_warning (made_at);

-- Counters of one day: failed log-ins by account, mails by hashed recipient.
CREATE TABLE failed_log_in (
  uid   uuid PRIMARY KEY,
  since timestamptz(3) NOT NULL,
  tries integer NOT NULL,
  codes integer NOT NULL
);
CREATE INDEX failed_log_in_since_idx ON failed_log_in (since);

CREATE TABLE recipient_mail (
  id        bigserial PRIMARY KEY,
  recipient text NOT NULL,
  at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX recipient_mail_recipient_at_idx ON recipient_mail (recipient, at);
CREATE INDEX recipient_mail_at_idx ON recipient_mail (at);

-- How far each of the realm's streams of events was read, and which events were handled.
CREATE TABLE realm_reading (
  stream       text PRIMARY KEY,
  read_to      timestamptz(3) NOT NULL,
  read_at      timestamptz(3) NOT NULL,
  leased_by    text,
  leased_until timestamptz(3)
);

CREATE TABLE realm_event (
  id     text PRIMARY KEY,
  stream text NOT NULL,
  at     timestamptz(3) NOT NULL
);
CREATE INDEX realm_event_stream_at_idx ON realm_event (stream, at);

-- Wakes the workers of a table, or with an empty name all, when a row is due sooner than they know: see
-- libs/platform/src/leases.
CREATE FUNCTION notify_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('due', coalesce(TG_ARGV[0], TG_TABLE_NAME));
  RETURN NULL;
END
$$;
-- Mails of every table wait for a proved address.
CREATE TRIGGER account_proved AFTER UPDATE OF proved_email ON account FOR EACH ROW
  WHEN (NEW.proved_email IS DISTINCT FROM OLD.proved_email) EXECUTE FUNCTION notify_due('');
CREATE TRIGGER export_mail_added AFTER INSERT ON export_mail FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER export_mail_due_sooner AFTER UPDATE OF next_try_at ON export_mail FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER review_mail_added AFTER INSERT ON review_mail FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER review_mail_due_sooner AFTER UPDATE OF next_try_at ON review_mail FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER dead_link_mail_added AFTER INSERT ON dead_link_mail FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER dead_link_mail_due_sooner AFTER UPDATE OF next_try_at ON dead_link_mail FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER log_in_warning_added AFTER INSERT ON log_in_warning FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER log_in_warning_due_sooner AFTER UPDATE OF next_try_at ON log_in_warning FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_change_added AFTER INSERT ON account_change FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_change_due_sooner AFTER UPDATE OF next_try_at ON account_change FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER link_change_added AFTER INSERT ON link_change FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER link_change_due_sooner AFTER UPDATE OF mail_due_at ON link_change FOR EACH ROW
  WHEN (NEW.mail_due_at < greatest(OLD.mail_due_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_deletion_added AFTER INSERT ON account_deletion FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_deletion_due_sooner AFTER UPDATE OF next_try_at ON account_deletion FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();

-- Events to publish, and events that were handled: as in libs/messaging/tables.
CREATE TABLE outbox (
  id         bigserial PRIMARY KEY,
  event_id   uuid NOT NULL,
  subject    text NOT NULL,
  payload    jsonb NOT NULL,
  headers    jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts   integer NOT NULL DEFAULT 0,
  failure    text,
  retry_at   timestamptz(3)
);

CREATE TABLE inbox (
  event_id    text PRIMARY KEY,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
