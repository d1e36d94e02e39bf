-- Trigrams, by which a search finds text anywhere in a profile.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Profiles.
CREATE TABLE creator (
  uid              uuid PRIMARY KEY,
  username         text NOT NULL,
  email            text NOT NULL,
  display_name     text NOT NULL,
  bio              text NOT NULL DEFAULT '',
  profile_image    jsonb,
  header_image     jsonb,
  paygates         jsonb NOT NULL DEFAULT '[]',
  social_links     jsonb NOT NULL DEFAULT '{}',
  niches           text[] DEFAULT ARRAY[]::text[],
  search_text      text NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  version          integer NOT NULL DEFAULT 1,
  contact_by       text NOT NULL DEFAULT 'email',
  email_verified   boolean NOT NULL DEFAULT false,
  offering_count   integer NOT NULL DEFAULT 0,
  published        boolean NOT NULL DEFAULT false,
  claims_issued_at timestamptz(3),
  palette          text NOT NULL DEFAULT 'terracotta',
  layout           text NOT NULL DEFAULT 'cards',
  taken_down       boolean NOT NULL DEFAULT false,
  links            jsonb NOT NULL DEFAULT '[]',
  title_text       text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX creator_username_key ON creator (username);
CREATE INDEX creator_search_text_idx ON creator USING gin (search_text gin_trgm_ops);
CREATE INDEX creator_niches_idx ON creator USING gin (niches);
-- Lists show complete profiles first. The second index is for installations where only proved addresses make a profile public.
CREATE INDEX creator_list_idx ON creator
  ((profile_image IS NOT NULL AND bio <> '' AND offering_count > 0), created_at, uid);
CREATE INDEX creator_proved_list_idx ON creator
  ((profile_image IS NOT NULL AND bio <> '' AND offering_count > 0), created_at, uid)
  WHERE email_verified;
-- Rows whose search text lacks the mark of search-text.ts: a sweeper folds these again. Usually empty.
CREATE INDEX creator_unfolded_idx ON creator (uid) WHERE left(search_text, 1) <> U&'\001e';

-- The public offerings of each creator: their count and, folded for search, their titles. Both may come before the creator.
CREATE TABLE offering_count (
  creator_id uuid PRIMARY KEY,
  count      integer NOT NULL,
  as_of      bigint NOT NULL DEFAULT 0
);

CREATE TABLE offering_title (
  offering_id uuid PRIMARY KEY,
  creator_id  uuid NOT NULL,
  search_text text NOT NULL,
  version     integer NOT NULL,
  listed_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX offering_title_creator_id_idx ON offering_title (creator_id);
-- Titles of offerings that are no longer public: kept until no older event can arrive.
CREATE INDEX offering_title_unseen_idx ON offering_title (listed_at) WHERE search_text = '';
CREATE INDEX offering_title_unfolded_idx ON offering_title (creator_id)
  WHERE search_text <> '' AND left(search_text, 1) <> U&'\001e';

-- Copies the count to the profile, whose list indexes need it.
CREATE FUNCTION copy_offering_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE creator SET offering_count = NEW.count WHERE uid = NEW.creator_id;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_offering_count AFTER INSERT OR UPDATE ON offering_count
  FOR EACH ROW EXECUTE FUNCTION copy_offering_count();

-- Appends the titles to the search text, after a separator that no profile and no query contains.
CREATE FUNCTION search_titles_too() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := split_part(NEW.search_text, E'\x1f', 1)
    || CASE WHEN NEW.title_text = '' THEN '' ELSE E'\x1f' || NEW.title_text END;
  RETURN NEW;
END
$$;
CREATE TRIGGER creator_search_titles_too BEFORE INSERT OR UPDATE OF search_text, title_text ON creator
  FOR EACH ROW EXECUTE FUNCTION search_titles_too();

-- Profiles whose links are to be announced. A trigger notes each new version.
CREATE TABLE unlisted_page (
  id     uuid PRIMARY KEY,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX unlisted_page_due_at_id_idx ON unlisted_page (due_at, id);

CREATE FUNCTION note_unlisted_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is noted already: the row is locked until this change is there to be read.
  INSERT INTO unlisted_page (id) VALUES (NEW.uid) ON CONFLICT (id) DO UPDATE SET id = excluded.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER creator_links_unlisted AFTER INSERT OR UPDATE OF version ON creator
  FOR EACH ROW EXECUTE FUNCTION note_unlisted_page();

-- What outlives or precedes a profile: closed accounts, their usernames as SHA-256 in hex, and proved addresses.
CREATE TABLE closed_account (
  uid       uuid PRIMARY KEY,
  closed_at timestamptz(3) NOT NULL
);

CREATE TABLE reserved_username (
  hash         text PRIMARY KEY,
  until        timestamptz(3),
  announced_at timestamptz(3) NOT NULL
);
CREATE INDEX reserved_username_until_idx ON reserved_username (until);
CREATE INDEX reserved_username_announced_at_idx ON reserved_username (announced_at);

CREATE TABLE proved_address (
  uid       uuid PRIMARY KEY,
  email     text NOT NULL,
  proved_at timestamptz(3) NOT NULL
);

-- The payees of an account's public pages: those of this service, and those of offerings by its events.
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

-- Visits by day. They are removed with their creator.
CREATE TABLE visit_count (
  creator_id uuid NOT NULL REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE,
  day        date NOT NULL,
  kind       text NOT NULL,
  subject    text NOT NULL,
  count      bigint NOT NULL,
  visitors   bigint NOT NULL,
  PRIMARY KEY (creator_id, day, kind, subject)
);
CREATE INDEX visit_count_day_idx ON visit_count (day);

-- The visitors counted today, as hashes whose key is forgotten with the day.
CREATE TABLE day_visitor (
  creator_id uuid NOT NULL REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE,
  day        date NOT NULL,
  kind       text NOT NULL,
  subject    text NOT NULL,
  visitor    text NOT NULL,
  PRIMARY KEY (creator_id, day, kind, subject, visitor)
);
CREATE INDEX day_visitor_day_idx ON day_visitor (day);

-- The visits counted, kept until none of them can arrive again.
CREATE TABLE counted_visit (
  id  uuid PRIMARY KEY,
  day date NOT NULL
);
CREATE INDEX counted_visit_day_idx ON counted_visit (day);

-- Reports of a page and an operator's decisions: one case for each page, until it is closed. Removed with its creator.
CREATE TABLE review_case (
  id              uuid PRIMARY KEY,
  creator_id      uuid NOT NULL REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE,
  offering_id     uuid,
  offering_slug   text,
  offering_title  text,
  status          text NOT NULL DEFAULT 'open',
  opened_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  further_reports integer NOT NULL DEFAULT 0,
  priority        integer NOT NULL DEFAULT 0,
  page_version    integer
);
CREATE INDEX review_case_status_opened_at_idx ON review_case (status, opened_at);
CREATE INDEX review_case_status_priority_opened_at_idx ON review_case (status, priority DESC, opened_at);
CREATE INDEX review_case_creator_id_idx ON review_case (creator_id);

-- The networks that reported a case within a day, as keyed hashes.
CREATE TABLE report_source (
  case_id uuid NOT NULL REFERENCES review_case (id) ON DELETE CASCADE ON UPDATE CASCADE,
  source  text NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (case_id, source)
);
CREATE INDEX report_source_source_at_idx ON report_source (source, at);
CREATE INDEX report_source_at_idx ON report_source (at);

CREATE TABLE review_step (
  id        uuid PRIMARY KEY,
  case_id   uuid NOT NULL REFERENCES review_case (id) ON DELETE CASCADE ON UPDATE CASCADE,
  at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  kind      text NOT NULL,
  reason    text,
  text      text NOT NULL DEFAULT '',
  actor_uid uuid
);
CREATE INDEX review_step_case_id_at_idx ON review_step (case_id, at);

-- The audit trail is append-only. A row is removed with its case: the foreign key deletes it from within another trigger.
CREATE FUNCTION refuse_change_of_review_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'review_step is only ever added to';
END
$$;
CREATE TRIGGER review_step_append_only BEFORE UPDATE OR DELETE ON review_step
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_review_step();

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
