import { limits, type Visit } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { entriesOf, otherSubject, sumsOf, withinLimits } from './visit-entries.ts';

const creatorId = randomUUID();
const visit = (more: Partial<Visit> = {}): Visit => ({
  id: randomUUID(),
  creatorId,
  kind: 'view',
  at: '2026-11-24T23:59:59.999Z',
  visitor: 'v'.repeat(22),
  ...more,
});
const ownedIn = (visits: Visit[]) =>
  visits.flatMap(({ offeringId }) => (offeringId ? [{ creatorId, offeringId }] : []));
const subjectsOf = (visits: Visit[], kind: string, known: Parameters<typeof withinLimits>[1] = []) =>
  withinLimits(entriesOf(visits, ownedIn(visits)), known)
    .filter((entry) => entry.kind === kind)
    .map(({ subject }) => subject);

test('a view counts for its offering, its creator and the host of its referrer', () => {
  const offeringId = randomUUID();
  const visits = [visit({ offeringId, referrer: 'www.example.org' })];
  const entries = entriesOf(visits, ownedIn(visits));
  expect(entries.map(({ day, kind, subject }) => `${day} ${kind} ${subject}`)).toEqual([
    `2026-11-24 view ${offeringId}`,
    '2026-11-24 any ',
    '2026-11-24 referrer example.org',
  ]);
});

test('a click does not count for a referrer', () => {
  expect(subjectsOf([visit({ kind: 'access', referrer: 'example.org' })], 'referrer')).toEqual([]);
});

test('hosts beyond the limit of a day are counted together', () => {
  const hosts = Array.from({ length: limits.visitReferrers + 2 }, (_, index) => `h${index}.example`);
  const subjects = subjectsOf(
    hosts.map((referrer) => visit({ referrer })),
    'referrer',
  );
  expect(subjects).toEqual([...hosts.slice(0, limits.visitReferrers), otherSubject, otherSubject]);
});

test('a host that is already counted separately stays separate at the limit', () => {
  const known = [
    {
      creatorId,
      day: '2026-11-24',
      kind: 'referrer' as const,
      subjects: limits.visitReferrers,
      known: ['a.example'],
    },
  ];
  const visits = [visit({ referrer: 'a.example' }), visit({ referrer: 'b.example' })];
  expect(subjectsOf(visits, 'referrer', known)).toEqual(['a.example', otherSubject]);
});

test("unknown offerings and those of others are counted as 'other', beyond the limit", () => {
  const [own, others, none] = [randomUUID(), randomUUID(), randomUUID()];
  const owned = [
    { creatorId, offeringId: own },
    { creatorId: randomUUID(), offeringId: others },
  ];
  const visits = [others, none, own].map((offeringId) => visit({ offeringId }));
  const known = [{ creatorId, day: '2026-11-24', kind: 'view' as const, subjects: 199, known: [] }];
  const subjects = withinLimits(entriesOf(visits, owned), known).filter(({ kind }) => kind === 'view');
  expect(subjects.map(({ subject }) => subject)).toEqual([otherSubject, otherSubject, own]);
});

test('offerings beyond the limit of a day are counted together', () => {
  const visits = Array.from({ length: limits.visitSubjects + 1 }, () => visit({ offeringId: randomUUID() }));
  expect(subjectsOf(visits, 'view').at(-1)).toBe(otherSubject);
});

test('a sum has every visit, and each new visitor once', () => {
  const entries = entriesOf([visit(), visit(), visit({ kind: 'access' })], []);
  const [view, any] = entries;
  const sums = sumsOf(entries, [view!, any!]);
  expect(sums.map(({ kind, count, visitors }) => [kind, count, visitors])).toEqual([
    ['view', 2, 1],
    ['any', 3, 1],
    ['access', 1, 0],
  ]);
});
