import { join } from 'node:path';
import { stateFolder } from '@stoa/system/paths';
import { loadSecrets } from '@stoa/system/settings/secrets';

/** Creates the passwords and keys of this checkout, for `docker compose --env-file`. */
export function secrets(): number {
  const file = join(stateFolder, 'secrets.env');
  loadSecrets(file);
  console.log(file);
  return 0;
}
