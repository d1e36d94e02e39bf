import { globSync, readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';

/** A test: its file, relative to the root of the repository, and its full title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** A test that a document cites: its id, and the case if it is one of a table. */
export interface CitedTest {
  readonly id: string;
  readonly variant?: string;
}

/** A claim of a document, by its number or words, with the tests that it cites. */
export interface Claim {
  readonly id: string;
  readonly tests: readonly CitedTest[];
}

/** The tests that passed in a run. */
export type Passed = readonly NamedTest[];

/** An id such as `web-12`, which a test declares at the end of its title, or a row of the specification. */
const cited = /`([a-z0-9]+-\d+|\d+\.[a-z][\w.-]*)`(?: “([^”]+)”)?/g;
/** The declaration of an id in the source of a test: `it('retries once [web-12]', …)`. */
const declared = /\[([a-z0-9]+-\d+)\](?=['"`])/g;

/** The tests that a text cites, as in `web-12`, or `web-13` “a case” for one case of a table. */
export function citedTestsIn(text: string): CitedTest[] {
  return [...text.matchAll(cited)].map(([, id = '', variant]) => (variant ? { id, variant } : { id }));
}

/** The cited tests that did not pass in this run, each with its claim. */
export function missingTests(claims: readonly Claim[], passed: Passed): string[] {
  const titles = Map.groupBy(
    passed.flatMap(({ title }) => idsOf(title).map((id) => ({ id, title }))),
    ({ id }) => id,
  );
  return claims.flatMap(({ id: claim, tests }) =>
    tests
      .filter(({ id, variant = '' }) => !titles.get(id)?.some(({ title }) => title.includes(variant)))
      .map(({ id, variant }) => `${claim}: ${id}${variant ? ` “${variant}”` : ''}`),
  );
}

/** The id at the end of a title, and the rows of the specification at its beginning. */
const idsOf = (title: string): string[] => [
  ...[...title.matchAll(/\[([a-z0-9]+-\d+)\]$/g)].map(([, id = '']) => id),
  ...[...title.matchAll(/(?:^|[ ;])(\d+\.[a-z][\w.-]*)(?= )/g)].map(([, id = '']) => id),
];

/** All ids that tests declare, with the declaring files. */
export function declaredIds(): Map<string, string[]> {
  const files = globSync('{apps,libs,tools}/*/**/*.{spec,test,tests}.{ts,tsx}', {
    cwd: inRepository(),
    exclude: (name) => ['node_modules', 'dist', 'generated'].includes(name),
  });
  const found = files
    .toSorted()
    .flatMap((file) => idsIn(readFileSync(inRepository(file), 'utf8')).map((id) => ({ id, file })));
  return new Map(
    [...Map.groupBy(found, ({ id }) => id)].map(([id, places]) => [id, places.map(({ file }) => file)]),
  );
}

/** The ids that a test file declares. */
export const idsIn = (source: string): string[] => [...source.matchAll(declared)].map(([, id = '']) => id);

/** The faults of ids: declared by two tests, or cited and declared by none. */
export function faultyIds(
  declarations: ReadonlyMap<string, readonly string[]>,
  claims: readonly Claim[],
): string[] {
  const twice = [...declarations].filter(([, files]) => files.length > 1);
  const unknown = claims.flatMap(({ id: claim, tests }) =>
    tests
      .filter(({ id }) => !/^\d/.test(id) && !declarations.has(id))
      .map(({ id }) => `${claim}: no test has the id ${id}`),
  );
  return [...twice.map(([id, files]) => `${id} is declared twice: ${files.join(', ')}`), ...unknown];
}
