import { readFileSync } from 'node:fs';
import { pinned, pins } from '@stoa/system/fetch/pins';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

/** A version of a package, in OSV's terms. */
export interface PackageVersion {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/** An advisory of OSV. Its severity is a word, in upper or lower case, if the source rates it. */
interface Advisory {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly database_specific?: { readonly severity?: string };
}

/** The open database of advisories for Go, Maven, PyPI and Bitnami's images. https://osv.dev */
const osv = 'https://api.osv.dev/v1';
const deadlineMs = 10_000;

const requirementFiles = ['apps/e2e/fuzz/requirements.txt', 'tools/prisma/squawk/requirements.txt'];

/** Every part of deploy/versions.json and every Python package, in OSV's terms. */
export function pinnedPackages(): PackageVersion[] {
  const parts = [...pinned.values()].map(({ osv: named, version }) => ({ ...named, version }));
  const python = requirementFiles.flatMap((path) => requirementsIn(readFileSync(inRepository(path), 'utf8')));
  return [...parts, ...python];
}

/** The pinned packages of a requirements.txt. */
export const requirementsIn = (text: string): PackageVersion[] =>
  [...text.matchAll(/^([\w.-]+)==([\w.]+)/gm)].map(([, name = '', version = '']) => ({
    ecosystem: 'PyPI',
    name,
    version,
  }));

/** Pins below the first safe version that give no reason to stay. */
export function unsafePins(
  parts: Iterable<readonly [string, { version: string; safeFrom?: string; known?: string }]>,
  isAtLeast: (version: string, oldest: string) => boolean,
): string[] {
  return [...parts]
    .filter(([, { version, safeFrom, known }]) => safeFrom && !known && !isAtLeast(version, safeFrom))
    .map(([name, { version, safeFrom }]) => `${name} ${version} (safe from ${safeFrom})`);
}

/**
 * Whether an advisory counts: severity high or critical, and not explained at a pin in deploy/versions.json.
 */
export function counts(
  { id, aliases = [], database_specific }: Advisory,
  explained: ReadonlySet<string>,
): boolean {
  const severe = /^(high|critical)$/i.test(database_specific?.severity ?? '');
  return severe && ![id, ...aliases].some((name) => explained.has(name));
}

/**
 * Fails for a known advisory of severity high or critical about an image, program or Python package, unless
 * deploy/versions.json explains it. Without an answer of OSV it prints that it could not check.
 */
export async function checkPinnedParts(say: (line: string) => void): Promise<void> {
  const explained = new Set(
    [...pinned.values()].flatMap(({ known, advisories = [] }) => (known ? advisories : [])),
  );
  const packages = pinnedPackages();
  let found: [PackageVersion, Advisory][];
  try {
    found = await advisoriesOf(packages);
  } catch {
    say(
      `Advisories of images, programs and Python packages: not checked, OSV does not answer. A person compared them on ${pins.checked}.`,
    );
    return;
  }
  const open = found.filter(([, advisory]) => counts(advisory, explained));
  if (open.length > 0)
    throw new CheckFailed(
      `Pinned parts with known advisories: ${open.map(([{ name, version }, { id }]) => `${name} ${version} (${id})`).join(', ')}`,
    );
  say(
    `Advisories: of ${packages.length} images, programs and Python packages OSV knows none of severity high or critical that deploy/versions.json does not explain.`,
  );
}

async function advisoriesOf(packages: readonly PackageVersion[]): Promise<[PackageVersion, Advisory][]> {
  const queries = packages.map(({ ecosystem, name, version }) => ({ package: { ecosystem, name }, version }));
  const { results } = (await answer(`${osv}/querybatch`, { queries })) as {
    results: { vulns?: { id: string }[] }[];
  };
  const ids = results.flatMap(({ vulns = [] }, index) =>
    vulns.map(({ id }) => [packages[index], id] as const),
  );
  return Promise.all(
    ids.map(
      async ([queriedPackage, id]) =>
        [queriedPackage, await answer(`${osv}/vulns/${encodeURIComponent(id)}`)] as [
          PackageVersion,
          Advisory,
        ],
    ),
  );
}

async function answer(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(deadlineMs),
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.json();
}
