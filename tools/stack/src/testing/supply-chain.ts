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

/** Checks that package.json allows or denies the install script of every package that has one. */
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

/**
 * Packages with an install script and without a decision. Packages of other platforms follow the one for
 * Linux.
 */
export function undecidedScripts(
  packages: Record<string, Locked>,
  allowed: Record<string, boolean>,
): string[] {
  const decided = new Set(Object.keys(allowed).map(withoutPlatform));
  return namesOf(packages, ({ hasInstallScript }) => hasInstallScript === true).filter(
    (name) => !(name in allowed) && !(name !== withoutPlatform(name) && decided.has(withoutPlatform(name))),
  );
}

/** The common name of a program's packages for several platforms. */
const withoutPlatform = (name: string) =>
  name.replace(/[-/](?:linux|darwin|windows|win32|freebsd|android)-.*$/, '');

/** Packages whose archive npm would install without comparing a digest. */
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
 * Fails for known vulnerabilities of high severity in production packages. Prints that it could not check if
 * the registry does not support audits.
 */
export async function checkAdvisories(say: (line: string) => void): Promise<void> {
  const args = ['audit', '--omit=dev', '--json', '--loglevel=silent'];
  // Reads npm's output, because npm exits with an error both for a vulnerability and without an answer.
  const output = await promisify(execFile)('npm', args, { cwd: inRepository(), timeout: 60_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  const found = advisoriesIn(output);
  if (found === undefined)
    say('Advisories of npm packages: not checked, the registry does not support audits.');
  else if (found.length > 0)
    throw new CheckFailed(`Packages with known vulnerabilities: ${found.join(', ')}`);
}

interface Audit {
  vulnerabilities?: Record<string, { severity: string }>;
}

/** The packages with severe advisories in the output of `npm audit --json`; undefined if it got no answer. */
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
