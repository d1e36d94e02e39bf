ALTER TABLE account_export
  ADD COLUMN caller jsonb,
  ADD COLUMN collect_at timestamptz(3) NOT NULL DEFAULT now();
