import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { type Ports } from '../settings/ports.ts';
import { answersHttp } from './answers.ts';

/** How the mail catcher runs under the supervisor. */
export function mailProcess(folder: string, { smtp, mail }: Ports): ProcessSpec {
  mkdirSync(folder, { recursive: true });
  const program = fileURLToPath(new URL('mail-catcher.ts', import.meta.url));
  return {
    name: 'mail',
    command: process.execPath,
    args: [program, folder, String(smtp), String(mail)],
    env: baseEnvironment(),
    ready: () => answersHttp(`http://127.0.0.1:${mail}/readyz`),
  };
}
