-- The address that an account proved last: the event may come before the account's record has that address.
CREATE TABLE proved_address (
  uid uuid PRIMARY KEY,
  email text NOT NULL,
  proved_at timestamptz(3) NOT NULL
);
