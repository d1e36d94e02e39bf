-- Leases in place of transactions that stay open while Keycloak is asked.
ALTER TABLE realm_reading ADD COLUMN leased_by text;
ALTER TABLE realm_reading ADD COLUMN leased_until timestamptz(3);
ALTER TABLE account ADD COLUMN undo_leased_by text;
ALTER TABLE account ADD COLUMN undo_leased_until timestamptz(3);
