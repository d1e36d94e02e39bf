-- The key that all buyers of an offering share can be turned off.
ALTER TABLE offering ADD COLUMN shared_link boolean NOT NULL DEFAULT true;

-- Sales that were paid elsewhere, each with the hash of its own key.
CREATE TABLE sale (
  id             uuid PRIMARY KEY,
  creator_id     uuid NOT NULL,
  offering_id    uuid NOT NULL REFERENCES offering (id) ON DELETE CASCADE ON UPDATE CASCADE,
  source         text NOT NULL,
  provider       text NOT NULL,
  transaction_id text NOT NULL,
  key_hash       text NOT NULL,
  key_salt       text NOT NULL,
  key_since      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  state          text NOT NULL,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  uses           integer NOT NULL DEFAULT 0,
  last_used_at   timestamptz(3),
  downloads      integer,
  days           integer
);
CREATE UNIQUE INDEX sale_key_hash_key ON sale (key_hash);
-- The transaction id stands second, so that a search by it reads this index too.
CREATE UNIQUE INDEX sale_creator_id_transaction_id_provider_offering_id_source_key
  ON sale (creator_id, transaction_id, provider, offering_id, source);
CREATE INDEX sale_creator_id_created_at_id_idx ON sale (creator_id, created_at DESC, id DESC);
CREATE INDEX sale_offering_id_idx ON sale (offering_id);
