import { beforeEach, expect, jest, test } from '@jest/globals';
import { OnlineCheck } from './online-check.ts';

const minuteMs = 60_000;
let now: number;
let online: OnlineCheck;
const askCanaries = jest.fn<(which: 'some' | 'all') => Promise<boolean>>();

beforeEach(() => {
  now = 0;
  askCanaries.mockReset();
  online = new OnlineCheck(askCanaries, () => now);
});
const unanswered = { fails: true, hasAnswered: false };
const trusted = () => online.isTrustworthy(unanswered);

test('while no canary answers nothing is held against a link that nobody answers at', async () => {
  askCanaries.mockResolvedValue(false);
  online.note('gone.example', unanswered);
  expect(await trusted()).toBe(false);
});

test('a canary that answers is asked once a minute', async () => {
  askCanaries.mockResolvedValue(true);
  expect(await trusted()).toBe(true);
  expect(await trusted()).toBe(true);
  expect(askCanaries).toHaveBeenCalledTimes(1);
  now += minuteMs;
  expect(await trusted()).toBe(true);
  expect(askCanaries).toHaveBeenCalledTimes(2);
});

test('an answer of any host says for a minute that there is a way out', async () => {
  askCanaries.mockResolvedValue(false);
  online.note('shop.example', { fails: false, hasAnswered: true });
  expect(await trusted()).toBe(true);
  now += minuteMs;
  expect(await trusted()).toBe(false);
});

/** Of ten hosts the half fails, and then one more. */
function mostFail() {
  for (let host = 0; host < 5; host += 1)
    online.note(`up-${host}.example`, { fails: false, hasAnswered: true });
  for (let host = 0; host < 6; host += 1) online.note(`down-${host}.example`, unanswered);
}

test('where most hosts fail, answered or not, it is not they unless every canary answers', async () => {
  askCanaries.mockImplementation(async (which) => which === 'some');
  mostFail();
  expect(await online.isTrustworthy({ hasAnswered: true })).toBe(false);
  expect(await trusted()).toBe(false);
  expect(askCanaries.mock.calls).toEqual([['all'], ['all']]);
  // What was an hour ago says nothing any more.
  now += 60 * minuteMs;
  expect(await online.isTrustworthy({ hasAnswered: true })).toBe(true);
});

test('where most hosts fail and every canary answers they are held against links, and asked once a minute', async () => {
  askCanaries.mockResolvedValue(true);
  mostFail();
  expect([await trusted(), await trusted()]).toEqual([true, true]);
  expect(askCanaries.mock.calls).toEqual([['all']]);
  now += minuteMs;
  askCanaries.mockResolvedValue(false);
  expect(await trusted()).toBe(false);
});

test('a small site may have more dead links than others', async () => {
  askCanaries.mockResolvedValue(true);
  for (const host of ['a.example', 'b.example', 'c.example']) online.note(host, unanswered);
  expect(await trusted()).toBe(true);
});
