-- Uploads of pictures and files, from the grant to the removal of their objects.
CREATE TABLE upload (
  id               uuid PRIMARY KEY,
  uid              uuid NOT NULL,
  purpose          text NOT NULL,
  path             text NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  picture          jsonb,
  refusal          jsonb,
  held_until       timestamptz(3),
  remove_after     timestamptz(3),
  filename         text,
  content_type     text,
  size             integer NOT NULL DEFAULT 0,
  file             jsonb,
  timeouts         integer NOT NULL DEFAULT 0,
  checking_by      uuid,
  checking_until   timestamptz(3),
  removing_until   timestamptz(3),
  removal_attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX upload_uid_created_at_idx ON upload (uid, created_at);
CREATE INDEX upload_remove_after_idx ON upload (remove_after);
CREATE INDEX upload_removing_until_idx ON upload (removing_until);

-- The upload in each slot of a profile or an offering. An empty slot is kept until no older event can arrive.
CREATE TABLE attachment (
  owner_kind text NOT NULL,
  owner_id   uuid NOT NULL,
  upload_id  uuid,
  version    integer NOT NULL,
  noted_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (owner_kind, owner_id)
);
CREATE INDEX attachment_upload_id_idx ON attachment (upload_id);
CREATE INDEX attachment_empty_idx ON attachment (noted_at) WHERE upload_id IS NULL;

-- Preview cards, and the owners of whom none is drawn.
CREATE TABLE preview_card (
  path           text PRIMARY KEY,
  uid            uuid NOT NULL,
  owner_id       uuid NOT NULL,
  drawn_at       timestamptz(3),
  drawing_by     uuid,
  drawing_until  timestamptz(3),
  removing_until timestamptz(3),
  remove_after   timestamptz(3) NOT NULL
);
CREATE INDEX preview_card_uid_idx ON preview_card (uid);
CREATE INDEX preview_card_owner_id_idx ON preview_card (owner_id);
CREATE INDEX preview_card_remove_after_idx ON preview_card (remove_after);

CREATE TABLE withdrawn_card (
  owner_id    uuid PRIMARY KEY,
  until       timestamptz(3) NOT NULL,
  position    bigint NOT NULL,
  known_until timestamptz(3) NOT NULL
);
CREATE INDEX withdrawn_card_until_idx ON withdrawn_card (until);
CREATE INDEX withdrawn_card_known_until_idx ON withdrawn_card (known_until);

-- Pages that an operator has hidden, and closed accounts: their objects are not public.
CREATE TABLE withdrawal (
  owner_id     uuid PRIMARY KEY,
  uid          uuid NOT NULL,
  withdrawn    boolean NOT NULL,
  upload_ids   uuid[] NOT NULL DEFAULT '{}',
  position     bigint NOT NULL,
  forget_after timestamptz(3)
);
CREATE INDEX withdrawal_uid_idx ON withdrawal (uid);
CREATE INDEX withdrawal_forget_after_idx ON withdrawal (forget_after);

-- The list of each account that edge reads in the object store, and when it must be written.
CREATE TABLE withdrawal_list (
  uid          uuid PRIMARY KEY,
  version      integer NOT NULL DEFAULT 1,
  due_at       timestamptz(3),
  leased_until timestamptz(3)
);
CREATE INDEX withdrawal_list_due_at_idx ON withdrawal_list (due_at);

-- Exports of accounts, and the records collected for each.
CREATE TABLE account_export (
  id               uuid PRIMARY KEY,
  uid              uuid NOT NULL,
  requested_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at           timestamptz(3),
  ready_at         timestamptz(3),
  failed_at        timestamptz(3),
  attempts         integer NOT NULL DEFAULT 0,
  next_try_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  remove_after     timestamptz(3) NOT NULL,
  caller           jsonb,
  collect_at       timestamptz(3) NOT NULL DEFAULT now(),
  collect_attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX account_export_uid_requested_at_idx ON account_export (uid, requested_at);
CREATE INDEX account_export_next_try_at_idx ON account_export (next_try_at);
CREATE INDEX account_export_making_idx ON account_export (next_try_at)
  WHERE ready_at IS NULL AND failed_at IS NULL;
CREATE INDEX account_export_remove_after_idx ON account_export (remove_after);

CREATE TABLE export_part (
  export_id uuid NOT NULL REFERENCES account_export (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name      text NOT NULL,
  content   jsonb NOT NULL,
  PRIMARY KEY (export_id, name)
);

-- Wakes the workers of a table when a row is due sooner than they know: see libs/platform/src/leases.
CREATE FUNCTION notify_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('due', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
CREATE TRIGGER account_export_added AFTER INSERT ON account_export FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_export_due_sooner AFTER UPDATE OF next_try_at ON account_export FOR EACH ROW
  WHEN (NEW.next_try_at < greatest(OLD.next_try_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();
CREATE TRIGGER account_export_over_sooner AFTER UPDATE OF remove_after ON account_export FOR EACH ROW
  WHEN (NEW.remove_after < OLD.remove_after) EXECUTE FUNCTION notify_due();
CREATE TRIGGER withdrawal_list_added AFTER INSERT ON withdrawal_list FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER withdrawal_list_due_sooner AFTER UPDATE OF due_at ON withdrawal_list FOR EACH ROW
  WHEN (NEW.due_at < greatest(OLD.due_at, now() + interval '1 millisecond')) EXECUTE FUNCTION notify_due();

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
