import { Logger } from '@nestjs/common';
import { waitFor } from '@stoa/testing';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ChangeMailer } from './change-mailer.ts';
import type { IdentityConfig } from './identity.config.ts';
import type { IdentityRepository, UnmailedChange } from './identity.repository.ts';
import type { UnmailedLinkChanges } from './link-changes.repository.ts';
import type { MailerClient } from './mailer.client.ts';

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

let changes: UnmailedChange[];
let linkChanges: UnmailedLinkChanges[];
const send = jest.fn<MailerClient['send']>();
const mailed: unknown[] = [];
let mailer: ChangeMailer;

beforeEach(() => {
  mailed.length = 0;
  send.mockReset().mockResolvedValue();
  const accounts = {
    takeUnmailedChange: async () => changes.shift() ?? null,
    markChangeMailed: async (id: bigint) => void mailed.push(id),
    linkChanges: {
      takeUnmailed: async () => linkChanges.shift() ?? null,
      markMailed: async (ids: string[]) => void mailed.push(...ids),
    },
  } as unknown as IdentityRepository;
  const config = { SITE_URL: 'http://localhost:8080' } as IdentityConfig;
  mailer = new ChangeMailer(accounts, config, { send } as unknown as MailerClient);
});
afterEach(() => mailer.beforeApplicationShutdown());

test.each([
  ['the first', [0]],
  ['all but the last of each kind', [0, 1, 3, 4]],
  ['all', [0, 1, 2, 3, 4, 5]],
])('a refused mail holds no other: %s', async (_, refused) => {
  changes = [1n, 2n, 3n].map(changeOf);
  linkChanges = ['a', 'b', 'c'].map(linkChangesOf);
  let tried = 0;
  send.mockImplementation(async () => {
    tried += 1;
    if (refused.includes(tried - 1)) throw refusal;
  });
  // Looks once: no second look sends what the first left.
  mailer.wake();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(6));
  const all = [1n, 2n, 3n, 'a', 'b', 'c'];
  await waitFor(() => expect(mailed).toEqual(all.filter((__, index) => !refused.includes(index))));
});
