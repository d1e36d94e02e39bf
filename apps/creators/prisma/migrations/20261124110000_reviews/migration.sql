-- Whether an operator has hidden the profile; the release before shows it during a rollout.
ALTER TABLE creator ADD COLUMN taken_down boolean NOT NULL DEFAULT false;

-- What was said of a page until it was dismissed or shown again. With the creator it goes.
CREATE TABLE review_case (
  id             uuid NOT NULL,
  creator_id     uuid NOT NULL,
  offering_id    uuid,
  offering_slug  text,
  offering_title text,
  status         text NOT NULL DEFAULT 'open',
  opened_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT review_case_pkey PRIMARY KEY (id),
  CONSTRAINT review_case_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator (uid) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX review_case_status_opened_at_idx ON review_case (status, opened_at);
CREATE INDEX review_case_creator_id_idx ON review_case (creator_id);

CREATE TABLE review_step (
  id        uuid NOT NULL,
  case_id   uuid NOT NULL,
  at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  kind      text NOT NULL,
  reason    text,
  text      text NOT NULL DEFAULT '',
  actor_uid uuid,
  CONSTRAINT review_step_pkey PRIMARY KEY (id),
  CONSTRAINT review_step_case_id_fkey FOREIGN KEY (case_id) REFERENCES review_case (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX review_step_case_id_at_idx ON review_step (case_id, at);

-- The trail is only ever added to. A row goes with its case, which is a trigger within the trigger of the foreign key.
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
