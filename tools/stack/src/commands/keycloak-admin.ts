import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { bootstrapAdmin } from '@stoa/system/parts/bootstrap-admin';
import { stateFolder } from '@stoa/system/paths';
import { wantsTls } from '@stoa/system/settings/certificates';
import { describeParts } from '@stoa/system/settings/description';
import { defaultPorts } from '@stoa/system/settings/ports';
import { loadSecrets } from '@stoa/system/settings/secrets';

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
