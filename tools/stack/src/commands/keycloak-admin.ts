import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { bootstrapAdmin } from '../parts/bootstrap-admin.ts';
import { stateFolder } from '../paths.ts';
import { wantsTls } from '../settings/certificates.ts';
import { describeParts } from '../settings/description.ts';
import { defaultPorts } from '../settings/ports.ts';
import { loadSecrets } from '../settings/secrets.ts';

const user = 'temporary-admin';

/** Lets a person into the console of the Keycloak that `npm start` runs, until the next start. */
export async function keycloakAdmin(): Promise<number> {
  const secrets = loadSecrets(join(stateFolder, 'secrets.env'));
  const certificates = wantsTls() ? join(stateFolder, 'certificates') : undefined;
  const parts = describeParts(defaultPorts(), secrets, undefined, undefined, certificates);
  const password = randomBytes(18).toString('base64url');
  await bootstrapAdmin(stateFolder, parts, { user }, password);
  console.log(`${parts.keycloak.url}/admin/: ${user}, ${password} (removed by the next npm start)`);
  return 0;
}
