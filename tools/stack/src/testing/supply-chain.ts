import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

interface Locked {
  hasInstallScript?: boolean;
  integrity?: string;
  link?: boolean;
}

/** Every package that would run a script while it is installed is named in package.json, with a yes or a no. */
export async function checkInstallScripts(): Promise<void> {
  const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> };
  const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };
  const undecided = undecidedScripts(packages, allowScripts);
  if (undecided.length > 0)
    throw new CheckFailed(
      `These packages have install scripts and no entry in allowScripts of package.json: ${undecided.join(', ')}`,
    );
  const unproved = withoutIntegrity(packages);
  if (unproved.length > 0)
    throw new CheckFailed(`These packages have no checksum in package-lock.json: ${unproved.join(', ')}`);
}

/** Packages with an install script about which nothing is said; those of other platforms follow the one for Linux. */
export function undecidedScripts(
  packages: Record<string, Locked>,
  allowed: Record<string, boolean>,
): string[] {
  const decided = new Set(Object.keys(allowed).map(withoutPlatform));
  return namesOf(packages, ({ hasInstallScript }) => hasInstallScript === true).filter(
    (name) => !(name in allowed) && !(name !== withoutPlatform(name) && decided.has(withoutPlatform(name))),
  );
}

/** The name that the packages of one program for several platforms have in common. */
const withoutPlatform = (name: string) =>
  name.replace(/[-/](?:linux|darwin|windows|win32|freebsd|android)-.*$/, '');

/** Packages whose archive npm would take without comparing it with anything. */
export function withoutIntegrity(packages: Record<string, Locked>): string[] {
  return namesOf(packages, ({ integrity, link }) => !integrity && !link);
}

function namesOf(packages: Record<string, Locked>, is: (locked: Locked) => boolean): string[] {
  const named = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  const found = named
    .filter(([, locked]) => is(locked))
    .map(([path]) => path.split('node_modules/').at(-1) ?? '');
  return [...new Set(found)];
}

/**
 * No package that production runs has a known hole of weight. Where the registry does not answer questions about
 * advisories, nothing is known and the check says so.
 */
export async function checkAdvisories(say: (line: string) => void): Promise<void> {
  const args = ['audit', '--omit=dev', '--json', '--loglevel=silent'];
  // npm ends with an error for a hole as for no answer; what it prints tells them apart.
  const output = await promisify(execFile)('npm', args, { cwd: inRepository(), timeout: 60_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  const found = advisoriesIn(output);
  if (found === undefined)
    say('Advisories of npm packages: not checked, the registry does not answer questions about them.');
  else if (found.length > 0) throw new CheckFailed(`Packages with known holes: ${found.join(', ')}`);
}

interface Audit {
  vulnerabilities?: Record<string, { severity: string }>;
}

/** The packages with advisories of weight in what `npm audit --json` printed; undefined when it had no answer. */
export function advisoriesIn(output: string): string[] | undefined {
  let audit: Audit;
  try {
    audit = JSON.parse(output) as Audit;
  } catch {
    return undefined;
  }
  if (!audit.vulnerabilities) return undefined;
  return Object.entries(audit.vulnerabilities)
    .filter(([, { severity }]) => ['high', 'critical'].includes(severity))
    .map(([name, { severity }]) => `${name} (${severity})`);
}

const json = (name: string): unknown => JSON.parse(readFileSync(inRepository(name), 'utf8'));
