import { parseArgs } from 'node:util';
import { collector } from './commands/collector.ts';
import { keycloakAdmin } from './commands/keycloak-admin.ts';
import { requestKeys } from './commands/request-keys.ts';
import { reset } from './commands/reset.ts';
import { secrets } from './commands/secrets.ts';
import { setUp } from './commands/set-up.ts';
import { start } from './commands/start.ts';
import { test } from './commands/test.ts';
import { withSystem } from './commands/with-system.ts';
import { explain } from './problem.ts';

const usage = `stoa <command>

  start [--verbose] [--no-seed] [--observe]
                                  starts everything; Ctrl-C ends it
  test                            runs every check and test
  reset [--yes]                   throws the data of npm start away
  secrets                         makes the passwords of this checkout (for docker compose)
  request-keys                    prints a fresh key pair for signing requests
  set-up [step …]                 prepares parts that run elsewhere (in compose, in Kubernetes)
  with-system <command …>         runs a command against a system of its own
  keycloak-admin                  makes a temporary administrator of the Keycloak of npm start
  collector                       builds the collector that checks deploy/otel
  screenshots                     takes the pictures in docs/screenshots
  lighthouse                      measures the pages that visitors see first, into docs/lighthouse.md
  accessibility                   runs axe over every screen, into docs/accessibility.md`;

const [command = 'help', ...rest] = process.argv.slice(2);
const flags = () =>
  parseArgs({
    args: rest,
    options: {
      verbose: { type: 'boolean' },
      yes: { type: 'boolean' },
      'no-seed': { type: 'boolean' },
      observe: { type: 'boolean' },
    },
  }).values;

const commands: Record<string, () => Promise<number>> = {
  start: () =>
    start({
      verbose: flags().verbose ?? false,
      seed: !flags()['no-seed'],
      observe: flags().observe ?? false,
    }),
  test: () => test(),
  reset: () => reset({ yes: flags().yes ?? false }),
  secrets: async () => secrets(),
  'request-keys': async () => requestKeys(),
  'set-up': () => setUp(rest),
  'keycloak-admin': () => keycloakAdmin(),
  collector: () => collector(),
  'with-system': () => withSystem(rest),
  ...Object.fromEntries(
    ['screenshots', 'lighthouse', 'accessibility'].map((report) => [
      report,
      // One of the pictures is of the trace viewer.
      () => withSystem(['npm', 'run', report, '-w', '@stoa/e2e'], { observe: report === 'screenshots' }),
    ]),
  ),
  help: async () => {
    console.log(usage);
    return 0;
  },
};

try {
  const chosen = commands[command];
  if (!chosen) console.error(usage);
  process.exitCode = chosen ? await chosen() : 2;
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
// Sockets that clients keep alive must not keep the tool alive.
process.exit();
