import { parseArgs } from 'node:util';
import { buildAll } from '@stoa/system/apps/build';
import { buildProgram, programs } from './commands/build-program.ts';
import { backup, backupKey } from './commands/backup.ts';
import { certificates } from './commands/certificates.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { dev } from './commands/dev.ts';
import { drill } from './commands/drill.ts';
import { generatable, generate } from './commands/generate.ts';
import { keycloakAdmin } from './commands/keycloak-admin.ts';
import { reconcile } from './commands/reconcile.ts';
import { requestKeys } from './commands/request-keys.ts';
import { reset } from './commands/reset.ts';
import { restore } from './commands/restore.ts';
import { script, scriptCommand } from './commands/script.ts';
import { secrets } from './commands/secrets.ts';
import { setUp } from './commands/set-up.ts';
import { start } from './commands/start.ts';
import { test } from './commands/test.ts';
import { runWithSystem, smallDisks, withSystem } from './commands/with-system.ts';
import { nearestName } from './nearest-name.ts';
import { optionsKeptByNpm } from './npm-options.ts';
import { createReporter } from '@stoa/system/progress';
import { explain, Problem } from '@stoa/system/problem';

// For this process alone: who it runs decides for itself.
delete process.env.NODE_COMPILE_CACHE;

type Verb = readonly [usage: string, does: string, run: (args: string[]) => Promise<number>];

/** A verb that takes no arguments refuses those that it is given. */
const alone =
  (run: () => number | Promise<number>) =>
  async (args: string[]): Promise<number> => {
    parseArgs({ args, options: {} });
    return run();
  };

const verbs: readonly Verb[] = [
  [
    'start [--verbose] [--no-seed] [--observe]',
    'starts everything; Ctrl-C ends it',
    (args) => {
      const { values } = parseArgs({
        args,
        options: {
          verbose: { type: 'boolean' },
          'no-seed': { type: 'boolean' },
          observe: { type: 'boolean' },
        },
      });
      const { verbose = false, observe = false, 'no-seed': empty = false } = values;
      return start({ verbose, observe, seed: !empty });
    },
  ],
  [
    'dev [--inspect <app>] [--verbose] [--no-seed] [--observe]',
    'starts everything from its sources: hot reload of the web app, restart of a changed service',
    dev,
  ],
  [
    'test [<workspace> … | e2e [<file> …] [<option of Playwright> …] | --affected | --quick]',
    'runs every check and test, or a part of them (CONTRIBUTING.md)',
    test,
  ],
  [
    'reset [--yes]',
    'throws the data of npm start away',
    (args) => {
      const { values } = parseArgs({ args, options: { yes: { type: 'boolean' } } });
      return reset({ yes: values.yes ?? false });
    },
  ],
  [
    `generate [${generatable.join('|')} …]`,
    'writes what is generated from the code: all of it, or what is named',
    generate,
  ],
  [
    `build-program ${Object.keys(programs).join('|')}`,
    'builds a program, once, for checks that are skipped without it',
    buildProgram,
  ],
  [
    'images',
    "assembles each image's contents, prints its size, starts it",
    alone(async () => {
      await buildAll(createReporter());
      return script('@stoa/images', 'contract');
    }),
  ],
  [
    'image-stages',
    'the same from an empty folder, as the Dockerfile does (minutes)',
    alone(() => script('@stoa/images', 'stages')),
  ],
  // One of the pictures is of the trace viewer.
  [
    'screenshots',
    'takes the pictures in docs/screenshots',
    alone(() => withSystem([...scriptCommand('@stoa/e2e', 'screenshots')], { observe: true })),
  ],
  [
    'lighthouse',
    'measures the pages that visitors see first, into docs/lighthouse.md',
    alone(() => withSystem([...scriptCommand('@stoa/e2e', 'lighthouse')])),
  ],
  [
    'accessibility',
    'runs axe over every screen, into docs/accessibility.md',
    alone(() => withSystem([...scriptCommand('@stoa/e2e', 'accessibility')])),
  ],
  [
    'drill [faults] [--seed N] [--faults N | --minutes M] [--every S] [--rate N] [--single] [--full-disks] [--bad-wires | --shared-wires] [--strict] | restore | deletion [--seed N] [--step NAME] [--part NAME] [--minutes N] | upgrade [--from COMMIT] [--rate N] [--requests N] | outage [--part NAME …] [--seconds N]',
    'loses and restores a system of its own under load, or kills, hangs and restarts its parts, or replaces a former release by this one, and prints what that lost and how long it took',
    drill,
  ],
  [
    'bench [name …] [--size N] [--seconds N] [--rounds N]',
    'times the running product beside direct code, in turns (docs/benchmarks.md)',
    async (args) => {
      await buildAll(createReporter());
      return script('@stoa/bench', 'bench', args);
    },
  ],
  [
    'profile [app] [name …] [--size N] [--seconds N]',
    'records where an app spends its time under those benchmarks or an overload, and what a request costs (docs/performance.md)',
    async (args) => {
      await buildAll(createReporter());
      return script('@stoa/bench', 'profile', args);
    },
  ],
  [
    `with-system [${smallDisks}] <command …>`,
    'runs a command against a system of its own; with the option, each part that keeps something has a small disk',
    runWithSystem,
  ],
  ['keycloak-admin', 'makes a temporary administrator of the Keycloak of npm start', alone(keycloakAdmin)],
  ['secrets', 'makes the passwords of this checkout (for docker compose)', alone(secrets)],
  ['certificates', 'makes the certificates of deploy/tls (for docker compose)', alone(certificates)],
  ['request-keys', 'prints a fresh key pair for signing requests', alone(requestKeys)],
  [
    'dead-letters [list | show <letter …> | replay <letter …> | drop <letter …>] [--all]',
    'shows events that were given up on, announces them again, removes them',
    deadLetters,
  ],
  [
    'backup <folder | s3://bucket/prefix> [--keep-days N | --keep N] [--remove-most]',
    'backs everything up as of one moment, for the holder of a key',
    backup,
  ],
  ['backup-key', 'prints a fresh key pair for backups', alone(backupKey)],
  [
    'restore <folder | s3://bucket/prefix> [--backup name]',
    'puts a backup, the latest unless told, in the place of everything',
    restore,
  ],
  [
    'reconcile [--repair]',
    'compares buckets with databases and counts with rows, and mends what can be mended',
    reconcile,
  ],
  ['set-up [step …]', 'prepares parts that run elsewhere (in compose, in Kubernetes)', setUp],
];

const usage = ['npm run stoa <verb>', ...verbs.map(([form, does]) => `  ${form}\n      ${does}`)].join('\n');

const [name = '--help', ...rest] = process.argv.slice(2);
const nameOf = ([form]: Verb) => form.replace(/ .*/, '');
const chosen = verbs.find((verb) => nameOf(verb) === name);
const help = ['help', '--help', '-h'].includes(name);

try {
  const kept = chosen ? await optionsKeptByNpm(chosen[0], rest) : [];
  if (kept.length > 0)
    throw new Problem(
      `npm kept these options for itself: ${kept.join(', ')}. Write "--" before the arguments: npm run stoa -- ${name} …`,
    );
  // A verb that runs another one has passed its arguments on itself.
  delete process.env.npm_execpath;
  if (chosen) process.exitCode = await chosen[2](rest);
  else {
    const nearest = nearestName(name, verbs.map(nameOf));
    if (!help) console.error(`There is no verb "${name}"; the nearest is "${nearest}".\n`);
    (help ? console.log : console.error)(usage);
    process.exitCode = help ? 0 : 2;
  }
} catch (error) {
  const usageError = /^ERR_PARSE_ARGS/.test(String((error as NodeJS.ErrnoException).code));
  console.error(
    usageError && chosen
      ? `${(error as Error).message}\nThe form is: npm run stoa -- ${chosen[0]}`
      : explain(error),
  );
  process.exitCode = usageError ? 2 : 1;
}
// Sockets that clients keep alive must not keep the tool alive.
process.exit();
