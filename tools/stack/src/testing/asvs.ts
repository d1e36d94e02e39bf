/** A requirement of OWASP ASVS and how Stoa answers it, as a row of docs/asvs.md says. */
export interface Requirement {
  readonly id: string;
  readonly level: 1 | 2;
  readonly answer:
    | { readonly kind: 'met'; readonly tests: readonly NamedTest[] }
    | { readonly kind: 'not applicable' | 'open'; readonly reason: string };
}

/** A test by its file, from the root of the repository, and a part of its full title. */
interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** The requirements of ASVS 5.0 at each level. */
const promised = { 1: 70, 2: 183 } as const;

const row = /^\| *(\d+\.\d+\.\d+) *\| *([12]) *\|[^|]*\| *(Met|Not applicable|Open): *(.*?) *\|$/;
const namedTest = /`([^`]+)` “([^”]+)”/g;

/**
 * The rows of docs/asvs.md.
 *
 * @throws Error for a row that cannot be read, is there twice or names no test, and when rows are missing.
 */
export function readRequirements(markdown: string): Requirement[] {
  const rows = markdown.split('\n').filter((line) => /^\| *\d+\.\d+\.\d+/.test(line));
  const requirements = rows.map(toRequirement);
  const ids = requirements.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`There twice: ${twice.join(', ')}`);
  for (const level of [1, 2] as const) {
    const count = requirements.filter((requirement) => requirement.level === level).length;
    if (count !== promised[level])
      throw new Error(`Level ${level} has ${count} rows in place of ${promised[level]}.`);
  }
  return requirements;
}

function toRequirement(line: string): Requirement {
  const [, id = '', level, kind, text = ''] = row.exec(line) ?? [];
  if (kind === undefined) throw new Error(`Not a row: ${line}`);
  const base = { id, level: Number(level) as 1 | 2 };
  if (kind !== 'Met') {
    if (text.length < 10) throw new Error(`${id} gives no reason.`);
    return { ...base, answer: { kind: kind === 'Open' ? 'open' : 'not applicable', reason: text } };
  }
  const tests = [...text.matchAll(namedTest)].map(([, file = '', title = '']) => ({ file, title }));
  if (tests.length === 0) throw new Error(`${id} is said to be met and names no test.`);
  return { ...base, answer: { kind: 'met', tests } };
}

/** What a run of tests has to say: the file of each test that passed, and its full title. */
export type Passed = readonly { readonly file: string; readonly title: string }[];

/** The tests that the rows name and that did not pass in this run, each with the rows that count on it. */
export function missingTests(requirements: readonly Requirement[], passed: Passed): string[] {
  const titles = Map.groupBy(passed, ({ file }) => file);
  return requirements.flatMap(({ id, answer }) => {
    if (answer.kind !== 'met') return [];
    return answer.tests
      .filter(({ file, title }) => !titles.get(file)?.some((test) => test.title.includes(title)))
      .map(({ file, title }) => `${id}: ${file} “${title}”`);
  });
}

/** How many of the requirements that apply are met, in a sentence. */
export function summaryOf(requirements: readonly Requirement[]): string {
  const parts = ([1, 2] as const).map((level) => {
    const own = requirements.filter((requirement) => requirement.level === level);
    const applying = own.filter(({ answer }) => answer.kind !== 'not applicable');
    const met = applying.filter(({ answer }) => answer.kind === 'met');
    return `level ${level}: ${met.length} of ${applying.length} that apply`;
  });
  return parts.join(', ');
}
