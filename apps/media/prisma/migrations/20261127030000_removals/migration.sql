-- How often the store refused to remove an upload: each further try comes later.
ALTER TABLE upload ADD COLUMN removal_attempts integer NOT NULL DEFAULT 0;

-- When something was last said of a slot: one that is empty is forgotten once nothing older can come any more.
ALTER TABLE attachment ADD COLUMN noted_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX attachment_empty_idx ON attachment (noted_at) WHERE upload_id IS NULL;

-- Exports that are to be made, and those that are over, without those that lie ready.
CREATE INDEX account_export_making_idx ON account_export (next_try_at)
  WHERE ready_at IS NULL AND failed_at IS NULL;
CREATE INDEX account_export_remove_after_idx ON account_export (remove_after);
