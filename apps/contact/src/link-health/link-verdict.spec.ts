import { expect, test } from '@jest/globals';
import type { CheckResult } from '../link-checks/link-check.ts';
import { evaluate, type LinkState, healthy } from './link-verdict.ts';

const hourMs = 3_600_000;
const times = { intervalMs: 24 * hourMs, confirmMs: 8 * hourMs };
const begin = new Date('2026-11-20T08:00:00Z');
const after = (hours: number) => new Date(begin.getTime() + hours * hourMs);
const failing: CheckResult = { kind: 'fails', finding: 'not_found', host: 'a.example', hasAnswered: true };
const working: CheckResult = { kind: 'works' };
const unknown: CheckResult = { kind: 'unknown', reason: 'status 503' };

function afterChecks(...results: [hours: number, result: CheckResult][]): LinkState {
  return results.reduce(
    (state, [hours, result]) => evaluate(state, result, after(hours), times).state,
    healthy,
  );
}

test('a link is dead after three failed checks, each hours after the previous [contact-4]', () => {
  expect(afterChecks([0, failing])).toMatchObject({ failures: 1, deadSince: null, failingSince: begin });
  expect(afterChecks([0, failing], [8, failing])).toMatchObject({ failures: 2, deadSince: null });
  expect(afterChecks([0, failing], [8, failing], [16, failing])).toMatchObject({
    deadSince: after(16),
    failingSince: begin,
    finding: 'not_found',
  });
});

test('checks requested by the owner do not bring the verdict forward', () => {
  const often = [0, 1, 2, 3, 4, 5, 6, 7, 9].map((hours): [number, CheckResult] => [hours, failing]);
  expect(afterChecks(...often)).toMatchObject({ failures: 2, deadSince: null });
});

test('a failing link is checked again in hours, any other in a day', () => {
  expect(evaluate(healthy, failing, begin, times).nextLookAt).toEqual(after(8));
  expect(evaluate(afterChecks([0, failing]), failing, after(1), times).nextLookAt).toEqual(after(8));
  expect(evaluate(healthy, working, begin, times).nextLookAt).toEqual(after(24));
  expect(evaluate(healthy, unknown, begin, times).nextLookAt).toEqual(after(24));
  const dead = afterChecks([0, failing], [8, failing]);
  expect(evaluate(dead, failing, after(16), times).nextLookAt).toEqual(after(40));
});

test('a working check resets all failures', () => {
  expect(afterChecks([0, failing], [8, failing], [16, working], [24, failing])).toMatchObject({
    failures: 1,
    deadSince: null,
    failingSince: after(24),
  });
  expect(afterChecks([0, failing], [8, failing], [16, failing], [40, working])).toEqual(healthy);
});

test('an inconclusive check neither makes a link dead nor restores it', () => {
  expect(afterChecks([0, unknown], [8, unknown], [16, unknown], [24, unknown])).toEqual(healthy);
  const dead = afterChecks([0, failing], [8, failing], [16, failing]);
  expect(evaluate(dead, unknown, after(40), times).state).toEqual(dead);
});
