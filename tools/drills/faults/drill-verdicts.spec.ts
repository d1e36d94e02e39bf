import type { Call } from '../src/fault-drill/call-record.ts';
import { textOfEdit, violationsOfEdits } from '../src/fault-drill/edits.ts';
import type { Recovery } from '../src/fault-drill/faults.ts';
import { goalLine, goalsOf } from '../src/fault-drill/goals.ts';
import { expect, test } from '@stoa/e2e/test';

const done = { began: 1, ended: 2 };
const later = { began: 3, ended: 4 };

test('an acknowledged edit may be followed by others, and is not lost', () => {
  const unknown = { began: 3, ended: Infinity };
  expect(violationsOfEdits('it', [done, later], textOfEdit(1))).toEqual([]);
  expect(violationsOfEdits('it', [done, unknown], textOfEdit(0))).toEqual([]);
  expect(violationsOfEdits('it', [unknown], 'before', 'before')).toEqual([]);
  expect(violationsOfEdits('it', [done, later], textOfEdit(0))).toEqual([
    '1 edits of it were acknowledged after the one that is there',
  ]);
  expect(violationsOfEdits('it', [done], 'before', 'before')).toHaveLength(1);
});

test('the stored text must come from an edit that was not refused', () => {
  expect(violationsOfEdits('it', [done], textOfEdit(7))).toEqual([
    `it has a text that no edit wrote: Edit 7`,
  ]);
  const refused = { began: 3, ended: Infinity, refused: true };
  expect(violationsOfEdits('it', [done, refused], textOfEdit(1))).toEqual([
    'it has an edit that was refused: Edit 1',
  ]);
});

const call = (more: Partial<Call>): Call => ({
  ...{ kind: 'read', what: 'GET /', began: 0, ms: 10, status: 200, good: true },
  ...more,
});
const killed = (more: Partial<Recovery>): Recovery => ({
  ...{ part: 'media', kind: 'kill', ms: 1000, from: 0, to: 1000, alone: true },
  ...more,
});
const missed = (calls: Call[], recoveries: Recovery[] = []) =>
  goalsOf({ record: { calls }, faults: { recoveries } }).flatMap(({ what, met }) =>
    met === false ? [what] : [],
  );

test('each goal is missed by a value beyond its limit', () => {
  expect(missed([])).toEqual([]);
  expect(missed([call({ ms: 2000 }), call({ kind: 'write', ms: 5000 })], [killed({ ms: 3000 })])).toEqual([]);
  expect(missed([call({ kind: 'own read', ms: 2001 })])).toEqual(['the longest read: ≤ 2.0 s']);
  expect(missed([call({ kind: 'write', ms: 5001 })])).toEqual(['the longest write: ≤ 5.0 s']);
  const thousand = Array.from({ length: 998 }, () => call({}));
  const failed = call({ status: 404, good: false });
  expect(missed([...thousand, failed])).toEqual(['public reads that succeed: ≥ 99.90 %']);
  const refused = call({ status: 503, good: false });
  expect(missed([...thousand, refused])).toEqual(['public reads that succeed: ≥ 99.90 %']);
  // A read may be refused while a replica of a service is frozen, but not while another part is.
  expect(missed([...thousand, refused], [killed({ kind: 'hang' })])).toEqual([]);
  expect(missed([...thousand, refused], [killed({ kind: 'hang', part: 'postgres' })])).not.toEqual([]);
  expect(missed([call({ kind: 'write', status: 409, good: false })])).toEqual([
    'writes that succeed: ≥ 90.00 %',
  ]);
  expect(missed([], [killed({ part: 'nats', ms: 2001 })])).toEqual(['NATS is back after SIGKILL: ≤ 2.0 s']);
  expect(missed([], [killed({ ms: 3001, alone: false })])).toEqual([]);
  expect(missed([call({ kind: 'own read', status: 500, good: false })])).toEqual([
    "5xx other than 503, 504 and the full store's own 507: 0",
  ]);
});

test('a goal without measurements is not reported as met', () => {
  const goals = goalsOf({ record: { calls: [call({})] }, faults: { recoveries: [killed({})] } });
  const unseen = goals.filter(({ met }) => met === undefined).map(goalLine);
  expect(unseen).toEqual([
    '  UNSEEN the longest write: ≤ 5.0 s; reached not measured',
    expect.stringContaining('UNSEEN writes that succeed'),
    '  UNSEEN NATS is back after SIGKILL: ≤ 2.0 s; reached not measured',
    '  UNSEEN Postgres is back after SIGKILL: ≤ 3.0 s; reached not measured',
  ]);
});
