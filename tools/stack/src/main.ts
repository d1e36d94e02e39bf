import { parseArgs } from 'node:util';
import { buildAll } from '@stoa/system/apps/build';
import { buildProgram, programs } from './commands/build-program.ts';
import { backup, backupKey } from './commands/backup.ts';
import { certificates } from './commands/certificates.ts';
import { copyObjects } from './commands/copy-objects.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { dev } from './commands/dev.ts';
import { drill } from './commands/drill.ts';
import { generatable, generate } from './commands/generate.ts';
import { keycloakAdmin } from './commands/keycloak-admin.ts';
import { reconcile } from './commands/reconcile.ts';
import { release } from './commands/release.ts';
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

// Only for this process; child processes set it themselves.
delete process.env.NODE_COMPILE_CACHE;

type Verb = readonly [usage: string, does: string, run: (args: string[]) => Promise<number>];

/** Wraps a command without arguments, so that it refuses any. */
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
    'deletes the data of npm start',
    (args) => {
      const { values } = parseArgs({ args, options: { yes: { type: 'boolean' } } });
      return reset({ yes: values.yes ?? false });
    },
  ],
  [`generate [${generatable.join('|')} …]`, 'writes generated files, by default all', generate],
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
    'the same from an empty folder, like the Dockerfile (takes minutes)',
    alone(() => script('@stoa/images', 'stages')),
  ],
  // One of the screenshots shows the trace viewer.
  [
    'screenshots',
    'takes the pictures in docs/evidence/screenshots',
    alone(() => withSystem([...scriptCommand('@stoa/reports', 'screenshots')], { observe: true })),
  ],
  [
    'lighthouse',
    'measures the first pages of visitors, into docs/evidence/lighthouse.md',
    alone(() => withSystem([...scriptCommand('@stoa/reports', 'lighthouse')])),
  ],
  [
    'accessibility',
    'runs axe over every screen, into docs/evidence/accessibility.md',
    alone(() => withSystem([...scriptCommand('@stoa/reports', 'accessibility')])),
  ],
  [
    'drill [faults] [--seed N] [--faults N | --minutes M] [--every S] [--rate N] [--single] [--full-disks] [--bad-wires | --shared-wires] [--strict] | restore | deletion [--seed N] [--step NAME] [--part NAME] [--minutes N] | upgrade [--from COMMIT] [--rate N] [--requests N] | outage [--part NAME …] [--seconds N] | keycloak',
    'on a system of its own under load: kills, hangs and restarts parts, or restores a backup, upgrades a former release, or kills and drains one of two Keycloaks; prints the losses and times',
    drill,
  ],
  [
    'bench [name …] [--size N] [--seconds N] [--rounds N]',
    'compares times of the running product with direct code, alternately (docs/evidence/benchmarks.md)',
    async (args) => {
      await buildAll(createReporter());
      return script('@stoa/bench', 'bench', args);
    },
  ],
  [
    'profile [app] [name …] [--size N] [--seconds N]',
    'records CPU profiles of an app during those benchmarks or an overload, and the cost of a request',
    async (args) => {
      await buildAll(createReporter());
      return script('@stoa/bench', 'profile', args);
    },
  ],
  [
    `with-system [${smallDisks}] <command …>`,
    'runs a command against a system of its own; with the option, each part with data has a small disk',
    runWithSystem,
  ],
  ['keycloak-admin', 'creates a temporary administrator of the Keycloak of npm start', alone(keycloakAdmin)],
  ['secrets', 'creates the passwords of this checkout (for docker compose)', alone(secrets)],
  ['certificates', 'creates the certificates of deploy/tls (for docker compose)', alone(certificates)],
  [
    'dead-letters [list | show <letter …> | replay <letter …> | drop <letter …>] [--all]',
    'lists, shows, replays or drops events that failed too often',
    deadLetters,
  ],
  [
    'backup <folder | s3://bucket/prefix> [--keep-days N | --keep N] [--remove-most]',
    'backs up everything as of one moment, encrypted',
    backup,
  ],
  ['backup-key', 'prints new keys for backups', alone(backupKey)],
  [
    'restore <folder | s3://bucket/prefix> [--backup name]',
    'replaces all data by a backup, by default the latest',
    restore,
  ],
  [
    'reconcile [--repair]',
    'compares buckets with databases and counts with rows; repairs differences on request',
    reconcile,
  ],
  [
    'release <version> [--dry-run]',
    'sets the version everywhere, dates the changelog, commits and tags',
    release,
  ],
  [
    'copy-objects [--from <address>] --to <address> [--after <bucket/key>] [--delete]',
    'copies all objects with their headers to another store, verifies every byte, and can resume',
    copyObjects,
  ],
  ['set-up [step …]', 'sets up parts that run elsewhere (compose, Kubernetes)', setUp],
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
  // Clears the variable, so that child processes do not ask npm for its options again.
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
// Exits, because open keep-alive connections would keep the tool running.
process.exit();
