import { Logger } from '@nestjs/common';
import type { LeasedRow } from '@stoa/platform';
import { waitFor } from '@stoa/testing';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DueMailer, type MailRows } from './due-mailer.ts';
import { RecipientLimitReached } from './mailer.client.ts';

const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const refusal = Object.assign(new Error('550 <ama@example.test> unknown'), {
  code: 'EENVELOPE',
  responseCode: 550,
});
const mail = (attempts: number): LeasedRow => ({ id: 'one', attempts, leasedUntil: new Date() });
let due: LeasedRow[];
let leases: number[];
const send = jest.fn<(mail: LeasedRow) => Promise<void>>();
const remove = jest.fn<MailRows<LeasedRow>['remove']>();
const putOff = jest.fn<MailRows<LeasedRow>['putOff']>();

class Mailer extends DueMailer<LeasedRow> {
  constructor() {
    const take = async (leaseMs: number) => {
      leases.push(leaseMs);
      return due.shift() ?? null;
    };
    super({ table: 'letter', nextDueMs: async () => null, take, putOff, remove }, 'letters');
  }
  protected work(mail: LeasedRow) {
    return send(mail);
  }
}
let mailer: Mailer;

beforeEach(() => {
  [due, leases] = [[], []];
  jest.clearAllMocks();
  for (const mock of [send, remove]) mock.mockResolvedValue();
  putOff.mockResolvedValue(new Date());
  mailer = new Mailer();
});
afterEach(() => mailer.beforeApplicationShutdown());

/** Makes the mails due and waits until the worker has handled them. */
async function round(...mails: LeasedRow[]) {
  due.push(...mails);
  mailer.onApplicationBootstrap();
  await waitFor(() => expect(leases).toHaveLength(mails.length + 1));
}
const pauses = () => putOff.mock.calls.map(([{ id }, ms]) => [id, ms]);

test('a mail is sent and then removed, under a lease longer than any sending', async () => {
  await round(mail(1));
  expect(send).toHaveBeenCalledTimes(1);
  expect(remove.mock.calls).toEqual([['one']]);
  expect(Math.min(...leases)).toBe(180_000);
});

test.each([
  [1, 5000],
  [3, 20_000],
  [30, 3_600_000],
])('after attempt %d a rejected mail is retried in %d ms, and no address is logged', async (attempts, ms) => {
  send.mockRejectedValueOnce(refusal);
  await round(mail(attempts));
  expect(pauses()).toEqual([['one', ms]]);
  expect(remove).not.toHaveBeenCalled();
  expect(JSON.stringify(warn.mock.calls)).not.toContain('ama@example.test');
});

test('a mail that was rejected for a week is given up [identity-2]', async () => {
  send.mockRejectedValueOnce(refusal);
  await round(mail(170));
  expect(remove.mock.calls).toEqual([['one']]);
  expect(putOff).not.toHaveBeenCalled();
});

test("a mail over the recipient's limit waits an hour, and is never given up", async () => {
  send.mockRejectedValueOnce(new RecipientLimitReached());
  await round(mail(170));
  expect(pauses()).toEqual([['one', 3_600_000]]);
  expect(remove).not.toHaveBeenCalled();
});

test('a mail sent during a database outage is removed later, and not sent again', async () => {
  remove.mockRejectedValueOnce(new Error('no database'));
  due.push(mail(1));
  mailer.onApplicationBootstrap();
  await waitFor(() => {
    mailer.wake();
    expect(remove).toHaveBeenCalledTimes(2);
  });
  expect(remove.mock.calls).toEqual([['one'], ['one']]);
  expect(send).toHaveBeenCalledTimes(1);
});
