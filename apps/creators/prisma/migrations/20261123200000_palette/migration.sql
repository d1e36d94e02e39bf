-- The colours of a creator's public pages; the default is how every page looked before.
ALTER TABLE creator ADD COLUMN palette text NOT NULL DEFAULT 'terracotta';
