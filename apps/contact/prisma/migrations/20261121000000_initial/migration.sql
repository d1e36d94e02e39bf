-- Messages to the operator and, with a creator_id, to a creator.
CREATE TABLE message (
  id          uuid PRIMARY KEY,
  name        text NOT NULL,
  email       text NOT NULL,
  subject     text NOT NULL,
  message     text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  mailed_at   timestamptz(3),
  attempts    integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  creator_id  uuid,
  sender      text,
  "to"        jsonb,
  refused     boolean NOT NULL DEFAULT false,
  held        boolean NOT NULL DEFAULT false,
  network     text
);
CREATE INDEX message_mailed_at_next_try_at_idx ON message (mailed_at, next_try_at);
CREATE INDEX message_sender_received_at_idx ON message (sender, received_at);
CREATE INDEX message_creator_id_received_at_idx ON message (creator_id, received_at);
-- Due for mailing.
CREATE INDEX message_unsent_idx ON message (next_try_at) WHERE mailed_at IS NULL AND NOT held;
-- Senders that are still known: one hour of messages.
CREATE INDEX message_known_sender_idx ON message (received_at) WHERE sender IS NOT NULL;
-- Due for deletion.
CREATE INDEX message_relayed_idx ON message (received_at) WHERE creator_id IS NOT NULL;
CREATE INDEX message_mailed_to_operator_idx ON message (mailed_at) WHERE creator_id IS NULL;

-- The address that each creator proved last.
CREATE TABLE proved_address (
  creator_id uuid PRIMARY KEY,
  email      text NOT NULL,
  proved_at  timestamptz(3) NOT NULL
);

CREATE TABLE closed_account (
  uid       uuid PRIMARY KEY,
  closed_at timestamptz(3) NOT NULL
);

-- Public pages, and the state of each link on them.
CREATE TABLE linked_page (
  id          uuid PRIMARY KEY,
  uid         uuid NOT NULL,
  offering_id uuid,
  title       text NOT NULL,
  version     integer NOT NULL,
  gone_at     timestamptz(3)
);
CREATE INDEX linked_page_uid_idx ON linked_page (uid);
CREATE INDEX linked_page_gone_at_idx ON linked_page (gone_at);

CREATE TABLE checked_link (
  id            uuid PRIMARY KEY,
  page_id       uuid NOT NULL REFERENCES linked_page (id) ON DELETE CASCADE ON UPDATE CASCADE,
  kind          text NOT NULL,
  label         text NOT NULL,
  url           text NOT NULL,
  host          text NOT NULL,
  site          text NOT NULL,
  next_look_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  leased_until  timestamptz(3),
  looked_at     timestamptz(3),
  asked_at      timestamptz(3),
  failures      integer NOT NULL DEFAULT 0,
  finding       text,
  failing_since timestamptz(3),
  counted_at    timestamptz(3),
  dead_since    timestamptz(3),
  told_at       timestamptz(3)
);
CREATE INDEX checked_link_page_id_idx ON checked_link (page_id);
CREATE INDEX checked_link_next_look_at_idx ON checked_link (next_look_at);
CREATE INDEX checked_link_host_idx ON checked_link (host);
CREATE INDEX checked_link_dead_since_idx ON checked_link (dead_since);
-- Hosts that are being checked, or were checked a moment ago: they wait for the next check.
CREATE INDEX checked_link_leased_until_idx ON checked_link (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX checked_link_looked_at_idx ON checked_link (looked_at);
-- Dead links whose creators are not mailed yet, and those whose creators were mailed within the day.
CREATE INDEX checked_link_untold_idx ON checked_link (dead_since)
  WHERE dead_since IS NOT NULL AND (told_at IS NULL OR told_at < dead_since);
CREATE INDEX checked_link_told_at_idx ON checked_link (told_at);

-- Wakes the workers of a table when a row is due sooner than they know: see libs/platform/src/leases.
CREATE FUNCTION notify_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('due', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
CREATE TRIGGER message_added AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER message_due_sooner AFTER UPDATE OF next_try_at ON message FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER checked_link_added AFTER INSERT ON checked_link FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER checked_link_due_sooner AFTER UPDATE OF next_look_at ON checked_link FOR EACH ROW
  WHEN (NEW.next_look_at < greatest(OLD.next_look_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();

-- Events to publish, and events that were handled: as in libs/messaging/tables.
CREATE TABLE outbox (
  id         bigserial PRIMARY KEY,
  event_id   uuid NOT NULL,
  subject    text NOT NULL,
  payload    jsonb NOT NULL,
  headers    jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts   integer NOT NULL DEFAULT 0,
  retry_at   timestamptz(3),
  failure    text
);

CREATE TABLE inbox (
  event_id    text PRIMARY KEY,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
