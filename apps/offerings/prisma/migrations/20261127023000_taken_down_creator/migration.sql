-- What operators decided about profiles: the offerings of a hidden profile are handed to no buyer.
CREATE TABLE taken_down_creator (
  uid uuid PRIMARY KEY,
  taken_down boolean NOT NULL,
  reviewed_at timestamptz(3) NOT NULL
);
