-- When the token was issued that said the address last: an older token does not bring back an older address.
ALTER TABLE creator ADD COLUMN claims_issued_at timestamptz(3);
