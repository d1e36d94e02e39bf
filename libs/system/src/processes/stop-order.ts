import { apps } from '../settings/names.ts';

/** A process stops before those that it uses: apps that drain still need NATS and Postgres. */
export const stopOrder: readonly (readonly string[])[] = [
  apps,
  ['keycloak'],
  ['nats', 'minio', 'mail', 'traces'],
  ['postgres'],
];
