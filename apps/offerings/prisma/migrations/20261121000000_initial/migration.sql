-- Offerings.
CREATE TABLE offering (
  id                 uuid PRIMARY KEY,
  creator_id         uuid NOT NULL,
  title              text NOT NULL,
  description        text NOT NULL,
  price              text NOT NULL,
  type               text NOT NULL,
  payment_url        text NOT NULL,
  product_url        text,
  cover_image        jsonb,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  version            integer NOT NULL DEFAULT 1,
  delivery_key       text NOT NULL,
  slug               text NOT NULL,
  state              text NOT NULL,
  public_payment_url text,
  taken_down         boolean NOT NULL DEFAULT false,
  reviewed_at        timestamptz(3),
  files              jsonb NOT NULL DEFAULT '[]',
  delivery_text      text NOT NULL DEFAULT '',
  delivery_url       text,
  starts_at          timestamptz(3),
  ends_at            timestamptz(3),
  time_zone          text,
  seats              integer,
  published_at       timestamptz(3)
);
CREATE INDEX offering_creator_id_created_at_id_idx ON offering (creator_id, created_at DESC, id);

-- Every address that an offering has or had.
CREATE TABLE offering_slug (
  creator_id  uuid NOT NULL,
  slug        text NOT NULL,
  offering_id uuid NOT NULL REFERENCES offering (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (creator_id, slug)
);
CREATE INDEX offering_slug_offering_id_idx ON offering_slug (offering_id);

-- Addresses of removed offerings that visitors know: no other offering gets one.
CREATE TABLE former_slug (
  creator_id  uuid NOT NULL,
  slug        text NOT NULL,
  offering_id uuid NOT NULL,
  PRIMARY KEY (creator_id, slug)
);

-- Ids of removed offerings. The form chooses an id, so a late repeat of its request could otherwise bring one back:
-- other services follow offerings by id and version and would ignore the new first version.
CREATE TABLE removed_offering (
  id         uuid PRIMARY KEY,
  creator_id uuid
);
CREATE INDEX removed_offering_creator_id_idx ON removed_offering (creator_id);

-- Notes when visitors first saw an offering.
CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('published', 'sold_out') AND NOT NEW.taken_down THEN
    NEW.published_at := CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER offering_published BEFORE INSERT OR UPDATE ON offering
  FOR EACH ROW WHEN (NEW.published_at IS NULL) EXECUTE FUNCTION note_publication();

-- Keeps the addresses of a removed offering that visitors had seen.
CREATE FUNCTION keep_slugs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_slug (creator_id, slug, offering_id)
  SELECT creator_id, slug, offering_id FROM offering_slug WHERE offering_id = OLD.id
  ON CONFLICT DO NOTHING;
  RETURN OLD;
END
$$;
CREATE TRIGGER offering_slugs_kept BEFORE DELETE ON offering
  FOR EACH ROW WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION keep_slugs();

-- The order that a creator has given to their offerings.
CREATE TABLE offering_order (
  creator_id uuid PRIMARY KEY,
  ids        uuid[],
  pinned_id  uuid,
  version    integer NOT NULL DEFAULT 1
);

-- Offerings whose links are to be announced. A trigger notes each new version; a workshop is noted for its end too.
CREATE TABLE unlisted_page (
  id     uuid PRIMARY KEY,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX unlisted_page_due_at_id_idx ON unlisted_page (due_at, id);

CREATE FUNCTION note_unlisted_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is noted already: the row is locked until this change is there to be read.
  INSERT INTO unlisted_page (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at;
  RETURN NULL;
END
$$;
CREATE TRIGGER offering_links_unlisted AFTER INSERT OR UPDATE OF version ON offering
  FOR EACH ROW EXECUTE FUNCTION note_unlisted_page();

-- How far the announcement of public counts has come: one row.
CREATE TABLE public_count_walk (
  id           integer PRIMARY KEY,
  after        uuid,
  as_of        bigint NOT NULL,
  began_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_page_at timestamptz(3) NOT NULL
);

-- Operators' decisions about profiles: the offerings of a hidden profile are delivered to no buyer.
CREATE TABLE taken_down_creator (
  uid         uuid PRIMARY KEY,
  taken_down  boolean NOT NULL,
  reviewed_at timestamptz(3) NOT NULL
);

CREATE TABLE closed_account (
  uid       uuid PRIMARY KEY,
  closed_at timestamptz(3) NOT NULL
);

-- The payees of an account's public pages: those of this service, and those of creators by its events.
CREATE TABLE payee (
  creator_id uuid NOT NULL,
  source     text NOT NULL,
  payee      text NOT NULL,
  since      timestamptz(3) NOT NULL,
  ended_at   timestamptz(3),
  distrusted boolean NOT NULL DEFAULT false,
  as_of      bigint NOT NULL,
  PRIMARY KEY (creator_id, source, payee)
);
CREATE INDEX payee_ended_at_idx ON payee (ended_at);

-- Wakes the workers of a table when a row is due sooner than they know: see libs/platform/src/leases.
CREATE FUNCTION notify_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('due', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
CREATE TRIGGER unlisted_page_added AFTER INSERT ON unlisted_page FOR EACH STATEMENT EXECUTE FUNCTION notify_due();
CREATE TRIGGER unlisted_page_due_sooner AFTER UPDATE OF due_at ON unlisted_page FOR EACH ROW
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
  failure    text,
  retry_at   timestamptz(3)
);

CREATE TABLE inbox (
  event_id    text PRIMARY KEY,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
