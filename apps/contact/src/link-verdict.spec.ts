import { expect, test } from '@jest/globals';
import type { Look } from './link-look.ts';
import { judge, type LinkState, untouched } from './link-verdict.ts';

const hourMs = 3_600_000;
const times = { intervalMs: 24 * hourMs, confirmMs: 8 * hourMs };
const begin = new Date('2026-11-20T08:00:00Z');
const after = (hours: number) => new Date(begin.getTime() + hours * hourMs);
const failing: Look = { kind: 'fails', finding: 'not_found', host: 'a.example', hasAnswered: true };
const working: Look = { kind: 'works' };
const unknown: Look = { kind: 'unknown', why: 'status 503' };

function looks(...seen: [hours: number, look: Look][]): LinkState {
  return seen.reduce((state, [hours, look]) => judge(state, look, after(hours), times).state, untouched);
}

test('a link is dead after three looks that failed, each hours after the one before', () => {
  expect(looks([0, failing])).toMatchObject({ failures: 1, deadSince: null, failingSince: begin });
  expect(looks([0, failing], [8, failing])).toMatchObject({ failures: 2, deadSince: null });
  expect(looks([0, failing], [8, failing], [16, failing])).toMatchObject({
    deadSince: after(16),
    failingSince: begin,
    finding: 'not_found',
  });
});

test('looks that its owner asked for in between do not hasten it', () => {
  const often = [0, 1, 2, 3, 4, 5, 6, 7, 9].map((hours): [number, Look] => [hours, failing]);
  expect(looks(...often)).toMatchObject({ failures: 2, deadSince: null });
});

test('a link that fails is looked at again in hours, any other in a day', () => {
  expect(judge(untouched, failing, begin, times).nextLookAt).toEqual(after(8));
  expect(judge(looks([0, failing]), failing, after(1), times).nextLookAt).toEqual(after(8));
  expect(judge(untouched, working, begin, times).nextLookAt).toEqual(after(24));
  expect(judge(untouched, unknown, begin, times).nextLookAt).toEqual(after(24));
  const dead = looks([0, failing], [8, failing]);
  expect(judge(dead, failing, after(16), times).nextLookAt).toEqual(after(40));
});

test('a link that works once has failed never', () => {
  expect(looks([0, failing], [8, failing], [16, working], [24, failing])).toMatchObject({
    failures: 1,
    deadSince: null,
    failingSince: after(24),
  });
  expect(looks([0, failing], [8, failing], [16, failing], [40, working])).toEqual(untouched);
});

test('what a look cannot tell neither makes a link dead nor brings it back', () => {
  expect(looks([0, unknown], [8, unknown], [16, unknown], [24, unknown])).toEqual(untouched);
  const dead = looks([0, failing], [8, failing], [16, failing]);
  expect(judge(dead, unknown, after(40), times).state).toEqual(dead);
});
