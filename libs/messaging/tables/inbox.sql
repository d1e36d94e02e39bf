-- Of a service that listens to events. Its migrations make this table; a test holds them to it.
CREATE TABLE inbox (
  event_id    TEXT PRIMARY KEY,
  received_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
