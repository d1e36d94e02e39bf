import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { removeData } from '@stoa/system/parts/start-parts';
import { loadSecrets } from '@stoa/system/settings/secrets';
import { usesDocker } from '@stoa/system/parts/chosen-parts';
import { removeVolumes } from '@stoa/system/parts/docker';
import { stateFolder } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { requireNoOtherInstance } from '@stoa/system/processes/single-instance';

/** Deletes the data of `npm start`, with its passwords and logs. */
export async function reset({ yes }: { yes: boolean }): Promise<number> {
  requireNoOtherInstance(stateFolder);
  if (!existsSync(stateFolder)) {
    console.log('There is no data to delete.');
    return 0;
  }
  if (!yes && !(await confirmed())) return 1;
  if (await usesDocker()) await removeVolumes(loadSecrets(join(stateFolder, 'secrets.env')));
  removeData(stateFolder);
  console.log('Deleted. The next npm start begins without data.');
  return 0;
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Problem('This deletes all local data: confirm with "npm run reset -- --yes".');
  }
  const questions = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await questions.question(`Delete everything in ${stateFolder}? [y/N] `);
  questions.close();
  return /^y(es)?$/i.test(answer.trim());
}
