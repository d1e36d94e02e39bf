-- The Postgres image runs this once: Keycloak needs its database before the set-up step, which creates the others,
-- can run. Without Docker the stack tool creates all of them.
\getenv password POSTGRES_KEYCLOAK_PASSWORD
CREATE ROLE keycloak LOGIN PASSWORD :'password';
-- Keycloak's first start migrates in one transaction, which is idle for more than a minute on a slow machine.
ALTER ROLE keycloak SET idle_in_transaction_session_timeout = 0;
CREATE DATABASE keycloak OWNER keycloak;
