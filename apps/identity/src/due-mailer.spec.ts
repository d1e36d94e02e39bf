import { Logger } from '@nestjs/common';
import { waitFor } from '@stoa/testing';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DueMailer, type MailRows } from './due-mailer.ts';

type Due = { id: string; attempts: number };
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const refusal = Object.assign(new Error('550 <ama@example.test> unknown'), {
  code: 'EENVELOPE',
  responseCode: 550,
});
let due: Due[];
let leases: number[];
const send = jest.fn<(mail: Due) => Promise<void>>();
const markMailed = jest.fn<MailRows<Due>['markMailed']>();
const retryIn = jest.fn<MailRows<Due>['retryIn']>();

class Mailer extends DueMailer<Due> {
  constructor() {
    const takeDue = async (leaseMs: number) => {
      leases.push(leaseMs);
      return due.shift() ?? null;
    };
    super({ takeDue, retryIn, markMailed }, 'letters');
  }
  protected send(mail: Due) {
    return send(mail);
  }
}
let mailer: Mailer;

beforeEach(() => {
  [due, leases] = [[], []];
  jest.clearAllMocks();
  for (const mock of [send, markMailed, retryIn]) mock.mockResolvedValue();
  mailer = new Mailer();
});
afterEach(() => mailer.beforeApplicationShutdown());

/** Looks once, to the end. */
async function look(...mails: Due[]) {
  due.push(...mails);
  mailer.wake();
  await waitFor(() => expect(leases).toHaveLength(mails.length + 1));
}

test('a mail is sent and then noted, under a lease that is longer than any sending', async () => {
  await look({ id: 'one', attempts: 1 });
  expect(send).toHaveBeenCalledTimes(1);
  expect(markMailed.mock.calls).toEqual([['one']]);
  expect(Math.min(...leases)).toBe(180_000);
});

test.each([
  [1, 5000],
  [3, 20_000],
  [30, 3_600_000],
])(
  'after attempt %d a refused mail is tried again in %d ms, and no address is logged',
  async (attempts, ms) => {
    send.mockRejectedValueOnce(refusal);
    await look({ id: 'one', attempts });
    expect(retryIn.mock.calls).toEqual([['one', ms]]);
    expect(markMailed).not.toHaveBeenCalled();
    expect(JSON.stringify(warn.mock.calls)).not.toContain('ama@example.test');
  },
);

test('a mail that was refused for a week is given up', async () => {
  send.mockRejectedValueOnce(refusal);
  await look({ id: 'one', attempts: 170 });
  expect(markMailed.mock.calls).toEqual([['one']]);
  expect(retryIn).not.toHaveBeenCalled();
});

test('a mail that was sent while the database was away is noted later, and not sent again', async () => {
  markMailed.mockRejectedValueOnce(new Error('no database'));
  due.push({ id: 'one', attempts: 1 });
  mailer.wake();
  // Rounds do not overlap: the next begins when this one is over.
  await waitFor(() => {
    mailer.wake();
    expect(markMailed).toHaveBeenCalledTimes(2);
  });
  expect(markMailed.mock.calls).toEqual([['one'], ['one']]);
  expect(send).toHaveBeenCalledTimes(1);
});
