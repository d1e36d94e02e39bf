-- When the token was issued that said the address last: an older token changes neither address nor consent.
ALTER TABLE account ADD COLUMN claims_issued_at timestamptz(3);
