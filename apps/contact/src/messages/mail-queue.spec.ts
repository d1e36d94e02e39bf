import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ContactConfig } from '../contact.config.ts';
import type { MailQueue as Queue } from './mail-queue.ts';
import type { MailerClient } from './mailer.client.ts';
import type { UnsentMessage, UnsentMessages } from './unsent-messages.repository.ts';

const telemetry = await import('@stoa/telemetry');
const withTaskSpan = jest.fn(telemetry.withTaskSpan);
const traceHeaders = jest.fn(telemetry.traceHeaders);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, withTaskSpan, traceHeaders }));
// Imported after the mock is registered, because these modules import the mocked module.
const { waitFor } = await import('@stoa/testing');
const { maxOrigins, MailQueue } = await import('./mail-queue.ts');
const { MailFailure } = await import('./mailer.client.ts');

jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const refusal = new MailFailure({ code: 'EENVELOPE', responseCode: 550 });
let due: string[];
let queue: Queue;
const send = jest.fn<MailerClient['send']>();
const markMailed = jest.fn<UnsentMessages['markMailed']>();

beforeEach(() => {
  due = [];
  jest.clearAllMocks();
  send.mockResolvedValue();
  markMailed.mockResolvedValue();
  const messages = {
    ...{ table: 'message', nextDueMs: async () => null, oldestAge: async () => 0 },
    take: async () => {
      const id = due.shift();
      return id === undefined ? null : ({ id, attempts: 1, leasedUntil: new Date() } as UnsentMessage);
    },
    ...{ putOff: async () => null, markRefused: async () => undefined },
    markMailed,
  };
  const config = { MAIL_RETRY_MS: 3_600_000 } as ContactConfig;
  queue = new MailQueue(messages as unknown as UnsentMessages, { send } as unknown as MailerClient, config);
  queue.onApplicationBootstrap();
});
afterEach(() => queue.beforeApplicationShutdown());

/** Calls `expect` with new message ids, each in a trace that has the same id. */
function arrive(count: number): string[] {
  return Array.from({ length: count }, () => {
    const id = randomUUID();
    traceHeaders.mockReturnValueOnce({ traceparent: id });
    queue.expect(id);
    return id;
  });
}

/** Mails the messages and returns the trace of each one, or undefined if the queue has evicted it. */
async function originsOf(ids: string[]): Promise<(string | undefined)[]> {
  const before = withTaskSpan.mock.calls.length;
  due.push(...ids);
  queue.wake();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(before + ids.length));
  return withTaskSpan.mock.calls.slice(before).map(([, { traceparent }]) => traceparent);
}

it('links the mail to the trace of the request until it is mailed', async () => {
  const [id = ''] = arrive(1);
  send.mockRejectedValueOnce(refusal);
  expect(await originsOf([id])).toEqual([id]);
  expect(await originsOf([id])).toEqual([id]);
  expect(await originsOf([id])).toEqual([undefined]);
});

it('records a sent mail after a database outage without sending it again', async () => {
  due.push('mailed');
  markMailed.mockRejectedValueOnce(new Error('no database'));
  queue.wake();
  await waitFor(() => expect(markMailed).toHaveBeenCalledTimes(1));
  queue.wake();
  await waitFor(() => expect(markMailed.mock.calls).toEqual([['mailed'], ['mailed']]));
  expect(send).toHaveBeenCalledTimes(1);
});

it('links a message that a running round takes as soon as it is stored', async () => {
  due.push('first');
  const sending = Promise.withResolvers<void>();
  send.mockReturnValueOnce(sending.promise);
  const before = withTaskSpan.mock.calls.length;
  queue.wake();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(before + 1));
  const [id = ''] = arrive(1);
  due.push(id);
  sending.resolve();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(before + 2));
  expect(withTaskSpan.mock.calls.at(-1)?.[1]).toEqual({ traceparent: id });
});

it('evicts the least recently used trace when there are too many', async () => {
  const ids = arrive(maxOrigins);
  const [first = '', second = '', third = ''] = ids;
  send.mockRejectedValueOnce(refusal);
  expect(await originsOf([first])).toEqual([first]);
  const [latest = ''] = arrive(1);
  expect(await originsOf([latest, first, second, third])).toEqual([latest, first, undefined, third]);
});
