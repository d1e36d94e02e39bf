import { readFileSync } from 'node:fs';
import { pinned, pins } from '@stoa/system/fetch/pins';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

/** A package in one version, as OSV names it. */
export interface Queried {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/** What OSV knows of one advisory; severity is a word, in either case, where its source rates it. */
interface Advisory {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly database_specific?: { readonly severity?: string };
}

/** The open database of advisories for Go, Maven, PyPI and the images that Bitnami follows. https://osv.dev */
const osv = 'https://api.osv.dev/v1';
const deadlineMs = 10_000;

const requirementFiles = ['apps/e2e/fuzz/requirements.txt', 'tools/prisma/squawk/requirements.txt'];

/** Every part of deploy/versions.json and every Python package that OSV can be asked about. */
export function queried(): Queried[] {
  const parts = [...pinned.values()].flatMap(({ osv: named, version }) =>
    named ? [{ ...named, version }] : [],
  );
  const python = requirementFiles.flatMap((path) => requirementsIn(readFileSync(inRepository(path), 'utf8')));
  return [...parts, ...python];
}

/** Every pinned part that OSV has no name for. */
export const unknownToOsv = (): string[] =>
  [...pinned].filter(([, { osv: named }]) => !named).map(([name]) => name);

/** The pinned packages of a requirements.txt. */
export const requirementsIn = (text: string): Queried[] =>
  [...text.matchAll(/^([\w.-]+)==([\w.]+)/gm)].map(([, name = '', version = '']) => ({
    ecosystem: 'PyPI',
    name,
    version,
  }));

/** Pins below the first version that is safe, without a reason to stay. */
export function unsafePins(
  parts: Iterable<readonly [string, { version: string; safeFrom?: string; known?: string }]>,
  isAtLeast: (version: string, oldest: string) => boolean,
): string[] {
  return [...parts]
    .filter(([, { version, safeFrom, known }]) => safeFrom && !known && !isAtLeast(version, safeFrom))
    .map(([name, { version, safeFrom }]) => `${name} ${version} (safe from ${safeFrom})`);
}

/** Whether an advisory counts: severity high or critical, and not one that a pin in deploy/versions.json explains. */
export function counts(
  { id, aliases = [], database_specific }: Advisory,
  explained: ReadonlySet<string>,
): boolean {
  const severe = /^(high|critical)$/i.test(database_specific?.severity ?? '');
  return severe && ![id, ...aliases].some((name) => explained.has(name));
}

/**
 * No image, program or Python package has a known advisory of severity high or critical, but those that
 * deploy/versions.json explains. Without an answer of OSV the check prints that it could not ask.
 */
export async function checkPinnedParts(say: (line: string) => void): Promise<void> {
  say(
    `Advisories of ${unknownToOsv().join(', ')}: not checked, OSV has no such packages. A person compared them on ${pins.checked}.`,
  );
  const explained = new Set(
    [...pinned.values()].flatMap(({ known, advisories = [] }) => (known ? advisories : [])),
  );
  const packages = queried();
  let found: [Queried, Advisory][];
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
    `Advisories: OSV knows of none that counts in ${packages.length} images, programs and Python packages.`,
  );
}

async function advisoriesOf(packages: readonly Queried[]): Promise<[Queried, Advisory][]> {
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
        [queriedPackage, await answer(`${osv}/vulns/${encodeURIComponent(id)}`)] as [Queried, Advisory],
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
