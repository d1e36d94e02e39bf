import { apps } from '../settings/names.ts';

/** Whoever uses another stops before it: apps that drain still need NATS and Postgres. */
export const stopOrder: readonly (readonly string[])[] = [
  apps,
  ['keycloak'],
  ['nats', 'minio', 'mail', 'traces'],
  ['postgres'],
];
