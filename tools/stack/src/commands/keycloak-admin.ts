import { randomBytes } from 'node:crypto';
import { bootstrapAdmin } from '@stoa/system/parts/bootstrap-admin';
import { stateFolder } from '@stoa/system/paths';
import { localParts } from './described-parts.ts';

const user = 'temporary-admin';

/** Creates an administrator for the console of the Keycloak of `npm start`, valid until the next start. */
export async function keycloakAdmin(): Promise<number> {
  const parts = localParts();
  const password = randomBytes(18).toString('base64url');
  await bootstrapAdmin(stateFolder, parts, { user }, password);
  console.log(`${parts.keycloak.url}/admin/: ${user}, ${password} (removed by the next npm start)`);
  return 0;
}
