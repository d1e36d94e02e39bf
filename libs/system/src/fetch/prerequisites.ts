import { existsSync } from 'node:fs';
import { Problem } from '../problem.ts';
import type { PartName } from '../settings/names.ts';
import type { Store } from '../settings/store.ts';
import { findProgram, goPrograms } from './go-programs.ts';
import { hasZipkin } from './zipkin.ts';
import { keycloakFolder } from './keycloak-distribution.ts';
import { pins } from './pins.ts';
import { requireVersion } from './versions.ts';

type Requirement = Parameters<typeof requireVersion>[0];

const go = (neededFor: string, program: string): Requirement => ({
  command: 'go',
  args: ['version'],
  pattern: /go(\d+\.\d+(?:\.\d+)?)/,
  oldest: pins.go,
  name: 'Go',
  install: `install Go ${pins.go} or newer (or put ${program} on PATH)`,
  neededFor: `building ${neededFor}`,
});

const java: Requirement = {
  command: 'java',
  args: ['-version'],
  pattern: /version "(\d+)/,
  oldest: pins.java,
  name: 'Java',
  install: `install a Java ${pins.java} runtime (Debian: apt install openjdk-17-jre-headless)`,
  neededFor: 'Keycloak',
};

const maven: Requirement = {
  command: 'mvn',
  args: ['--version'],
  pattern: /Apache Maven (\d+\.\d+)/,
  oldest: pins.maven,
  name: 'Maven',
  install: `install Maven ${pins.maven} or newer (Debian: apt install maven)`,
  neededFor: 'fetching Keycloak',
};

/**
 * Checks this machine before anything is fetched.
 *
 * @throws Problem that lists everything that is missing.
 */
export async function requirePrerequisites(only: readonly PartName[], store: Store): Promise<void> {
  const needed: Requirement[] = [];
  for (const [part, program] of [
    ['nats', goPrograms.nats],
    ['minio', goPrograms[store]],
  ] as const) {
    const { title, name } = program;
    if (only.includes(part) && !(await findProgram(program))) needed.push(go(title, name));
  }
  if (only.includes('keycloak')) needed.push(java);
  if (only.includes('keycloak') && !existsSync(keycloakFolder)) needed.push(maven);
  await requireAll(needed);
}

/**
 * Checks this machine before the trace viewer is fetched.
 *
 * @throws Problem that lists everything that is missing.
 */
export function requireViewerPrerequisites(): Promise<void> {
  const fetching = hasZipkin() ? [] : [{ ...maven, neededFor: 'fetching Zipkin' }];
  return requireAll([{ ...java, neededFor: 'Zipkin, the trace viewer' }, ...fetching]);
}

async function requireAll(needed: readonly Requirement[]): Promise<void> {
  const checked = await Promise.allSettled(needed.map(requireVersion));
  const wrong = checked.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const unexpected = wrong.find((reason) => !(reason instanceof Problem));
  if (unexpected) throw unexpected;
  if (wrong.length > 0) throw new Problem(wrong.map((reason) => (reason as Problem).message).join('\n'));
}
