import { citedTestsIn, type CitedTest, type Claim } from './named-tests.ts';

/** A requirement of OWASP ASVS and Stoa's answer, from a row of docs/evidence/asvs.md. */
export interface Requirement {
  readonly id: string;
  readonly level: 1 | 2;
  readonly answer:
    | { readonly kind: 'met'; readonly tests: readonly CitedTest[] }
    | { readonly kind: 'not applicable' | 'open'; readonly reason: string };
}

/** The number of requirements of ASVS 5.0 at each level. */
const promised = { 1: 70, 2: 183 } as const;

const row = /^\| *(\d+\.\d+\.\d+) *\| *([12]) *\|[^|]*\| *(Met|Not applicable|Open): *(.*?) *\|$/;

/**
 * The rows of docs/evidence/asvs.md.
 *
 * @throws Error for an invalid or duplicate row, a row without a test, or missing rows.
 */
export function readRequirements(markdown: string): Requirement[] {
  const rows = markdown.split('\n').filter((line) => /^\| *\d+\.\d+\.\d+/.test(line));
  const requirements = rows.map(toRequirement);
  const ids = requirements.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`Duplicates: ${twice.join(', ')}`);
  for (const level of [1, 2] as const) {
    const count = requirements.filter((requirement) => requirement.level === level).length;
    if (count !== promised[level])
      throw new Error(`Level ${level} has ${count} rows instead of ${promised[level]}.`);
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
  const tests = citedTestsIn(text);
  if (tests.length === 0) throw new Error(`${id} is marked as met and names no test.`);
  return { ...base, answer: { kind: 'met', tests } };
}

/** The requirements that are marked as met, with the tests that prove them. */
export function claimsOf(requirements: readonly Requirement[]): Claim[] {
  return requirements.flatMap(({ id, answer }) =>
    answer.kind === 'met' ? [{ id, tests: answer.tests }] : [],
  );
}

/** The number of applicable requirements that are met, as a sentence. */
export function summaryOf(requirements: readonly Requirement[]): string {
  const parts = ([1, 2] as const).map((level) => {
    const own = requirements.filter((requirement) => requirement.level === level);
    const applying = own.filter(({ answer }) => answer.kind !== 'not applicable');
    const met = applying.filter(({ answer }) => answer.kind === 'met');
    return `level ${level}: ${met.length} of ${applying.length} that apply`;
  });
  return parts.join(', ');
}
