import { beforeEach, expect, jest, test } from '@jest/globals';
import { OnlineCheck } from './online-check.ts';

const minuteMs = 60_000;
let now: number;
let online: OnlineCheck;
const canariesAnswer = jest.fn<(which: 'some' | 'all') => Promise<boolean>>();

beforeEach(() => {
  now = 0;
  canariesAnswer.mockReset();
  online = new OnlineCheck(canariesAnswer, () => now);
});
const unanswered = { fails: true, hasAnswered: false };
const trusted = () => online.isTrustworthy(unanswered);

test('an unanswered check does not count while no canary answers', async () => {
  canariesAnswer.mockResolvedValue(false);
  online.note('gone.example', unanswered);
  expect(await trusted()).toBe(false);
});

test('a canary that answers is checked once a minute', async () => {
  canariesAnswer.mockResolvedValue(true);
  expect(await trusted()).toBe(true);
  expect(await trusted()).toBe(true);
  expect(canariesAnswer).toHaveBeenCalledTimes(1);
  now += minuteMs;
  expect(await trusted()).toBe(true);
  expect(canariesAnswer).toHaveBeenCalledTimes(2);
});

test('an answer of any host proves the connection for a minute', async () => {
  canariesAnswer.mockResolvedValue(false);
  online.note('shop.example', { fails: false, hasAnswered: true });
  expect(await trusted()).toBe(true);
  now += minuteMs;
  expect(await trusted()).toBe(false);
});

/** Records results of eleven hosts, six of which fail. */
function mostFail() {
  for (let host = 0; host < 5; host += 1)
    online.note(`up-${host}.example`, { fails: false, hasAnswered: true });
  for (let host = 0; host < 6; host += 1) online.note(`down-${host}.example`, unanswered);
}

test('a failure does not count when most hosts fail, unless every canary answers [contact-7]', async () => {
  canariesAnswer.mockImplementation(async (which) => which === 'some');
  mostFail();
  expect(await online.isTrustworthy({ hasAnswered: true })).toBe(false);
  expect(await trusted()).toBe(false);
  expect(canariesAnswer.mock.calls).toEqual([['all'], ['all']]);
  // One hour later OnlineCheck ignores all recorded results.
  now += 60 * minuteMs;
  expect(await online.isTrustworthy({ hasAnswered: true })).toBe(true);
});

test('failures count when most hosts fail and every canary answers; canaries are checked once a minute', async () => {
  canariesAnswer.mockResolvedValue(true);
  mostFail();
  expect([await trusted(), await trusted()]).toEqual([true, true]);
  expect(canariesAnswer.mock.calls).toEqual([['all']]);
  now += minuteMs;
  canariesAnswer.mockResolvedValue(false);
  expect(await trusted()).toBe(false);
});

test('failures of fewer than ten hosts count while a canary answers', async () => {
  canariesAnswer.mockResolvedValue(true);
  for (const host of ['a.example', 'b.example', 'c.example']) online.note(host, unanswered);
  expect(await trusted()).toBe(true);
});
