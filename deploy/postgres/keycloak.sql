-- Run once by the Postgres image: Keycloak wants its database before the set-up step can run, which makes the
-- others. Without Docker the stack tool makes them all.
\getenv password POSTGRES_KEYCLOAK_PASSWORD
CREATE ROLE keycloak LOGIN PASSWORD :'password';
CREATE DATABASE keycloak OWNER keycloak;
