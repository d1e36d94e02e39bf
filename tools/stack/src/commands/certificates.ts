import { join } from 'node:path';
import { stateFolder } from '@stoa/system/paths';
import { makeCertificates } from '@stoa/system/settings/certificates';

/** Creates the certificates of this checkout, for docker compose with deploy/tls. */
export async function certificates(): Promise<number> {
  console.log(await makeCertificates(join(stateFolder, 'certificates')));
  return 0;
}
