/** A test by its file, from the root of the repository, and a part of its full title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** What a document says, by its number or words, and the tests that it names for it. */
export interface Claim {
  readonly id: string;
  readonly tests: readonly NamedTest[];
}

/** What a run of tests has to say: the file of each test that passed, and its full title. */
export type Passed = readonly NamedTest[];

/** The tests that a text names, as in `file` “title”. */
export function namedTestsIn(text: string): NamedTest[] {
  return [...text.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }));
}

/** The tests that are named and did not pass in this run, each with the claim that counts on it. */
export function missingTests(claims: readonly Claim[], passed: Passed): string[] {
  const titles = Map.groupBy(passed, ({ file }) => file);
  return claims.flatMap(({ id, tests }) =>
    tests
      .filter(({ file, title }) => !titles.get(file)?.some((test) => test.title.includes(title)))
      .map(({ file, title }) => `${id}: ${file} “${title}”`),
  );
}
