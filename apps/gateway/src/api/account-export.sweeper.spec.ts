import {
  type Caller,
  contact,
  creators,
  identity,
  limits,
  media,
  offerings,
  type Request,
} from '@stoa/contracts';
import { type Bus, Refusal } from '@stoa/messaging';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AccountExportSweeper } from './account-export.sweeper.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const caller = { uid: 'a', username: 'ama' } as Caller;
const page = Array.from({ length: limits.messagesPage }, (_, n) => ({ id: String(n), receivedAt: '' }));

/** Stubs of all services, with these exports to collect. Each answer takes `answerMs`. */
function services(ids: string[], answerMs: number, pages: number, refused: Record<string, unknown> = {}) {
  const waiting = [...ids];
  const made: string[] = [];
  const records: Record<string, unknown> = {};
  const broken = refused;
  let listed = 0;
  const answers = new Map<Request, (input: Record<string, unknown>, of: Caller) => unknown>([
    [
      media.takeExport,
      () => {
        const id = waiting.shift();
        return { export: id ? { id, attempt: 1, caller: { ...caller, uid: id } } : null };
      },
    ],
    [media.makeExport, ({ id }) => made.push(String(id))],
    [media.addToExport, ({ name, content }) => (records[String(name)] = content)],
    [contact.listReceived, () => ({ items: (listed += 1) < pages ? page : [] })],
    [contact.listCheckedLinks, () => ({ items: [], next: null })],
    [creators.listRecords, () => ({ items: [], nextCursor: null })],
    [creators.listVisits, () => ({ items: [] })],
    [
      creators.open,
      (_, { uid }) => {
        if (broken[uid]) throw broken[uid];
        return { creator: { uid } };
      },
    ],
    [offerings.listSales, () => ({ items: [], nextCursor: null })],
    [identity.listSessions, () => ({ items: [] })],
  ]);
  const ask = async (request: Request, input: Record<string, unknown>, options?: { caller: Caller }) => {
    await new Promise((resolve) => setTimeout(resolve, answerMs));
    return answers.get(request)?.(input, options?.caller ?? caller) ?? {};
  };
  const sweeper = new AccountExportSweeper({ ask } as unknown as Bus);
  sweeper.onApplicationBootstrap();
  sweeper.wake();
  return { sweeper, made, records };
}

test('an export of more than a quarter of an hour finishes in one attempt', async () => {
  const { sweeper, made } = services(['slow'], 1300, 400);
  await jest.advanceTimersByTimeAsync(20 * 60_000);
  expect(made).toEqual(['slow']);
  await sweeper.beforeApplicationShutdown();
});

test('an export that cannot be collected does not block others', async () => {
  const { sweeper, made } = services(['broken', 'whole'], 10, 1, { broken: new Error('no such row') });
  await jest.advanceTimersByTimeAsync(5000);
  expect(made).toEqual(['whole']);
  await sweeper.beforeApplicationShutdown();
});

test.each(['invalid_input', 'conflict'] as const)(
  'an export contains a note instead of a profile that creators refuses with %s',
  async (code) => {
    const refusal = new Refusal(code, 'This username cannot be used.');
    const { sweeper, made, records } = services(['nameless'], 10, 1, { nameless: refusal });
    await jest.advanceTimersByTimeAsync(5000);
    expect(made).toEqual(['nameless']);
    expect(records['profile.json']).toEqual({
      note: 'This account has no profile. This username cannot be used.',
    });
    await sweeper.beforeApplicationShutdown();
  },
);

test.each(['unavailable', 'timeout', 'internal', 'forbidden'] as const)(
  'an export is not made without a profile when creators answers %s',
  async (code) => {
    const { sweeper, made } = services(['later'], 10, 1, { later: new Refusal(code, 'Not now.') });
    await jest.advanceTimersByTimeAsync(5000);
    expect(made).toEqual([]);
    await sweeper.beforeApplicationShutdown();
  },
);
