-- Table of a service that publishes events. The service's migrations create it; a test compares them with
-- this file.
CREATE TABLE outbox (
  id         BIGSERIAL PRIMARY KEY,
  event_id   UUID NOT NULL,
  subject    TEXT NOT NULL,
  payload    JSONB NOT NULL,
  headers    JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- How often NATS refused the event, when it is tried next ('infinity' once set aside), and the reason.
  attempts   INTEGER NOT NULL DEFAULT 0,
  retry_at   TIMESTAMPTZ(3),
  failure    TEXT
);
