-- Profiles and offerings that an operator has hidden, and accounts that are closed: nobody reads their objects.
CREATE TABLE withdrawal (
  owner_id uuid PRIMARY KEY,
  uid uuid NOT NULL,
  withdrawn boolean NOT NULL,
  upload_ids uuid[] NOT NULL DEFAULT '{}',
  position bigint NOT NULL,
  forget_after timestamptz(3)
);
CREATE INDEX withdrawal_uid_idx ON withdrawal (uid);
CREATE INDEX withdrawal_forget_after_idx ON withdrawal (forget_after);

-- The list of each account that edge reads in the store, and whether it is to be written anew.
CREATE TABLE withdrawal_list (
  uid uuid PRIMARY KEY,
  version integer NOT NULL DEFAULT 1,
  due_at timestamptz(3),
  leased_until timestamptz(3)
);
CREATE INDEX withdrawal_list_due_at_idx ON withdrawal_list (due_at);
