import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { removeData } from '@stoa/system/parts/start-parts';
import { loadSecrets } from '@stoa/system/settings/secrets';
import { removeVolumes, usesDocker } from '@stoa/system/parts/docker';
import { stateFolder } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { requireNoOtherInstance } from '@stoa/system/processes/single-instance';

/** Throws the data of `npm start` away, with its passwords and logs. */
export async function reset({ yes }: { yes: boolean }): Promise<number> {
  requireNoOtherInstance(stateFolder);
  if (!existsSync(stateFolder)) {
    console.log('There are no data to throw away.');
    return 0;
  }
  if (!yes && !(await confirmed())) return 1;
  if (await usesDocker()) await removeVolumes(loadSecrets(join(stateFolder, 'secrets.env')));
  removeData(stateFolder);
  console.log('Thrown away. The next npm start begins anew.');
  return 0;
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Problem('This throws all local data away: say so with "npm run reset -- --yes".');
  }
  const questions = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await questions.question(`Throw away everything in ${stateFolder}? [y/N] `);
  questions.close();
  return /^y(es)?$/i.test(answer.trim());
}
