import { Logger } from '@nestjs/common';
import { waitFor } from '@stoa/testing';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { ChangeMailer } from './change-mailer.ts';
import type { IdentityConfig } from '../identity.config.ts';
import { LinkChangeMailer } from './link-change-mailer.ts';
import type { LinkChanges, UnmailedLinkChanges } from './link-changes.repository.ts';
import type { MailerClient } from '../mails/mailer.client.ts';
import type { OwnerChanges, UnmailedChange } from './owner-changes.repository.ts';

jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const refusal = Object.assign(new Error('550 unknown'), { code: 'EENVELOPE', responseCode: 550 });
const at = new Date();
const changeOf = (id: bigint): UnmailedChange => ({
  id,
  kind: 'password',
  address: `${id}@example.test`,
  at,
  username: 'ada',
  displayName: 'Ada',
  later: [],
});
const linkChangesOf = (id: string): UnmailedLinkChanges => ({
  tokens: ['token'],
  changes: [
    {
      ...{ id, offeringId: null, before: [], after: [], at },
      ...{ address: `${id}@example.test`, username: 'ada', displayName: 'Ada' },
    },
  ],
});

const send = jest.fn<MailerClient['send']>();
const mailed: unknown[] = [];
const mailer = { send } as unknown as MailerClient;
const config = { SITE_URL: 'http://localhost:8080' } as IdentityConfig;
const rowsOf = (due: object[]) => ({
  table: 'change',
  nextDueMs: async () => null,
  markMailed: async (ids: unknown[]) => void mailed.push(...ids),
  take: async () => due.shift() ?? null,
  leaseUnmailed: async () => due.shift() ?? null,
});
const kinds = {
  'of an account': () => {
    const due = [1n, 2n, 3n].map(changeOf);
    return new ChangeMailer(rowsOf(due) as unknown as OwnerChanges, config, mailer);
  },
  'of payment links': () => {
    const due = [1n, 2n, 3n].map((id) => linkChangesOf(String(id)));
    return new LinkChangeMailer(rowsOf(due) as unknown as LinkChanges, config, mailer);
  },
};

beforeEach(() => {
  mailed.length = 0;
  send.mockReset().mockResolvedValue();
});

test.each(
  Object.entries(kinds).flatMap(([kind, open]) =>
    [[0], [0, 1], [0, 1, 2]].map((refused) => [kind, refused, open] as const),
  ),
)('a rejected mail about a change %s delays no other: %j of three', async (_, refused, open) => {
  let tried = 0;
  send.mockImplementation(async () => {
    tried += 1;
    if (refused.includes(tried - 1)) throw refusal;
  });
  const worker = open();
  // The next attempt is far away, so the first round must send all three mails.
  worker.onApplicationBootstrap();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(3));
  const all = ['1', '2', '3'].filter((__, index) => !refused.includes(index));
  await waitFor(() => expect(mailed.map(String)).toEqual(all));
  await worker.beforeApplicationShutdown();
});
