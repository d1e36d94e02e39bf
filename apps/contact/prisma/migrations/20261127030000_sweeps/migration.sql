-- When an address was proved: what is said of an earlier one may come later.
ALTER TABLE proved_address ADD COLUMN proved_at timestamptz(3);

-- Whose hosts are looked at now, or were a moment ago: few of all links.
CREATE INDEX checked_link_leased_until_idx ON checked_link (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX checked_link_looked_at_idx ON checked_link (looked_at);
-- Dead links whose creators are to be told.
CREATE INDEX checked_link_untold_idx ON checked_link (dead_since)
  WHERE dead_since IS NOT NULL AND (told_at IS NULL OR told_at < dead_since);
-- Whose creators were told within the day.
CREATE INDEX checked_link_told_at_idx ON checked_link (told_at);

-- What waits to be mailed, without what is held and without what was mailed.
CREATE INDEX message_unsent_idx ON message (next_try_at) WHERE mailed_at IS NULL AND NOT held;
-- Whose sender is not forgotten yet: an hour of messages.
CREATE INDEX message_known_sender_idx ON message (received_at) WHERE sender IS NOT NULL;
-- What is to be deleted, oldest first.
CREATE INDEX message_relayed_idx ON message (received_at) WHERE creator_id IS NOT NULL;
CREATE INDEX message_mailed_to_operator_idx ON message (mailed_at) WHERE creator_id IS NULL;
