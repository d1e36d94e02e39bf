-- Run once by the Postgres image: Keycloak wants its database before the set-up step can run, which makes the
-- others. Without Docker the stack tool makes them all.
\getenv password POSTGRES_KEYCLOAK_PASSWORD
CREATE ROLE keycloak LOGIN PASSWORD :'password';
-- Its first start migrates in one transaction, which on a slow machine rests for more than a minute.
ALTER ROLE keycloak SET idle_in_transaction_session_timeout = 0;
CREATE DATABASE keycloak OWNER keycloak;
