-- Of a service that announces events. Its migrations make this table; a test holds them to it.
CREATE TABLE outbox (
  id         BIGSERIAL PRIMARY KEY,
  event_id   UUID NOT NULL,
  subject    TEXT NOT NULL,
  payload    JSONB NOT NULL,
  headers    JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- How often the server refused it, when it is tried next (never, once set aside: 'infinity'), and why.
  attempts   INTEGER NOT NULL DEFAULT 0,
  retry_at   TIMESTAMPTZ(3),
  failure    TEXT
);
