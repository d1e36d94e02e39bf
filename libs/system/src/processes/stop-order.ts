import { apps } from '../settings/names.ts';

/** Processes stop before those that they use: draining apps still need NATS and Postgres. */
export const stopOrder: readonly (readonly string[])[] = [
  apps,
  ['keycloak'],
  ['nats', 'minio', 'mail', 'traces'],
  ['postgres'],
];
