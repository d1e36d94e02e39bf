-- Table of a service that listens to events. The service's migrations create it; a test compares them with
-- this file.
CREATE TABLE inbox (
  event_id    TEXT PRIMARY KEY,
  received_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
