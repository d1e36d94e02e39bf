import { mkdirSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import { type ProcessSpec } from '../processes/supervised.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { type Ports } from '../settings/ports.ts';
import { answersHttp } from './answers.ts';

/** How the mail catcher runs under the supervisor. */
export function mailProcess(folder: string, { smtp, mail }: Ports): ProcessSpec {
  mkdirSync(folder, { recursive: true });
  const here = '127.0.0.1';
  return {
    name: 'mail',
    command: process.execPath,
    args: [
      inRepository('node_modules/.bin/maildev'),
      ...['--smtp', String(smtp), '--ip', here, '--web', String(mail), '--web-ip', here],
      ...['--mail-directory', folder, '--max-emails', '500'],
    ],
    env: baseEnvironment(),
    ready: () => answersHttp(`http://${here}:${mail}/api/healthz`),
  };
}
