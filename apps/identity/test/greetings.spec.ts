import { contact, creators, identity, limits, type LinkChangeFacts, media, offerings } from '@stoa/contracts';
import { makeCaller, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from './identity-under-test.ts';

type Owner = Awaited<ReturnType<IdentityUnderTest['openAccount']>>;

const soon = { timeout: 20_000 };
let started: IdentityUnderTest;
beforeAll(async () => {
  started = await IdentityUnderTest.start();
});
afterAll(() => started.stop());

const now = () => new Date().toISOString();
const aChange = (uid: string): LinkChangeFacts => ({
  ...{ id: randomUUID(), uid, at: now(), offeringId: randomUUID(), before: [], follows: false },
  after: [{ name: 'Letters', url: `https://pay.example.com/${randomUUID()}` }],
});
const move = ({ uid }: Owner) => started.service.announce(offerings.paymentsMoved, aChange(uid));
const decide = (outcome: 'hidden' | 'upheld' | 'restored') => (owner: Owner) =>
  started.service.announce(creators.reviewed, {
    ...{ id: randomUUID(), uid: owner.uid, offering: null, outcome, at: now(), text: '' },
    reason: outcome === 'hidden' ? 'fraud' : null,
  });
const endExport =
  (expiresAt: string | null) =>
  ({ uid }: Owner) =>
    started.service.announce(media.exportEnded, { uid, id: randomUUID(), expiresAt });

const mails: [about: string, cause: (owner: Owner) => Promise<unknown>][] = [
  [
    'dead links',
    ({ uid }) =>
      started.service.announce(contact.linksDied, {
        ...{ id: randomUUID(), uid, at: now() },
        links: [
          {
            ...{ kind: 'support', label: 'Coffee', url: 'https://coffee.example.com', finding: 'gone' },
            ...{ offeringId: null, title: '' },
          },
        ],
      }),
  ],
  ['an export that is ready', endExport(new Date(Date.now() + 86_400_000).toISOString())],
  ['an export that failed', endExport(null)],
  ['a page that is hidden', decide('hidden')],
  ['a page that stays hidden', decide('upheld')],
  ['a page that is shown again', decide('restored')],
  ['a change of a payment link', move],
  [
    'failed log-ins',
    ({ uid }) =>
      started.client.query(
        'INSERT INTO log_in_warning (id, uid, since, tries, codes) VALUES ($1, $2, now(), 10, 0)',
        [randomUUID(), uid],
      ),
  ],
  [
    'a change of the password',
    ({ uid, email }) =>
      started.client.query(
        "INSERT INTO account_change (uid, kind, address, at) VALUES ($1, 'password', $2, now())",
        [uid, email],
      ),
  ],
  [
    'a change of the address',
    ({ uid, email }) =>
      started.client.query(
        "INSERT INTO account_change (uid, kind, address, at) VALUES ($1, 'email', $2, now())",
        [uid, email],
      ),
  ],
];

const name = ({ uid }: Owner, displayName: string, version: number, by = creators.changed) =>
  started.service.announce(by, {
    ...{ uid, displayName, version, username: 'zoe', profileImageId: null, headerImageId: null },
  });
const nameKept = async ({ uid }: Owner) =>
  (
    await started.client.query<{ display_name: string | null }>(
      'SELECT display_name FROM account WHERE uid = $1',
      [uid],
    )
  ).rows[0]?.display_name;
const untilNamed = (owner: Owner, displayName: string) =>
  waitFor(async () => expect(await nameKept(owner)).toBe(displayName), soon);

test.each(mails)('a mail about %s greets its owner by the display name [identity-8]', async (_, cause) => {
  const owner = await started.openAccount();
  await cause(owner);
  const [mail] = await started.mailsTo(owner.email, 1);
  expect(mail?.text).toMatch(new RegExp(`^Hello ${owner.displayName},\\s`));
  expect(mail?.html).toContain(`>Hello ${owner.displayName},<`);
});

test.each([
  'http://evil.example',
  'Mar\u202eta https://evil.example',
  'Marta\nBcc: all@evil.example',
  'm'.repeat(100),
])('a mail greets without the unsuitable display name %j', async (displayName) => {
  const owner = await started.openAccount();
  await name(owner, displayName, 2);
  await untilNamed(owner, displayName);
  await move(owner);
  const [mail] = await started.mailsTo(owner.email, 1);
  expect(mail?.text).toMatch(/^Hello,\s/);
  for (const part of [mail?.text, mail?.html]) expect(part).not.toMatch(/evil|mmmmmmmm/);
});

test('a mail about several changes greets by the display name', async () => {
  const owner = await started.openAccount();
  await started.client.query(
    `INSERT INTO link_change (id, uid, before, after, at, mail_due_at, mailed_at)
     SELECT gen_random_uuid(), $1, '[]', '[]', now(), NULL, now() - n * interval '90 minutes' FROM generate_series(1, $2) AS n`,
    [owner.uid, limits.linkMailsPerDay],
  );
  await started.client.query(
    `INSERT INTO link_change (id, uid, before, after, at) SELECT gen_random_uuid(), $1, '[]', $2, now() FROM generate_series(1, 2)`,
    [owner.uid, JSON.stringify(aChange(owner.uid).after)],
  );
  const [mail] = await started.mailsTo(owner.email, 1);
  expect(mail?.subject).toBe('2 of your Stoa payment links were changed');
  expect(mail?.text).toMatch(new RegExp(`^Hello ${owner.displayName},\\s`));
});

test('the latest version of a profile sets the name, in any order of events', async () => {
  const owner = await started.openAccount();
  await name(owner, 'Marta', 4);
  await untilNamed(owner, 'Marta');
  await name(owner, 'Former', 3);
  await name(owner, 'Begun', 1, creators.opened);
  const other = await started.openAccount();
  await name(other, 'Last', 2);
  await untilNamed(other, 'Last');
  expect(await nameKept(owner)).toBe('Marta');
  // Neither a later log-in nor a late answer of the creators service restores an older name.
  await started.service.ask(identity.open, {}, owner);
  await started.service.ask(identity.open, { profile: { displayName: 'Former', version: 3 } }, owner);
  await move(owner);
  expect((await started.mailsTo(owner.email, 1))[0]?.text).toMatch(/^Hello Marta,\s/);
});

test('a former name from the sign-up appears in no greeting [identity-26]', async () => {
  const owner = makeCaller({ displayName: 'Former' });
  // The request contains no profile, as if the creators service had not answered the gateway.
  await started.service.ask(identity.open, {}, owner);
  await move(owner);
  expect((await started.mailsTo(owner.email, 1))[0]?.text).toMatch(/^Hello,\s/);
  expect(await nameKept(owner)).toBeNull();
});

test('an account without a name gets it from its profile at the next log-in', async () => {
  const owner = await started.openAccount();
  const forget = 'UPDATE account SET display_name = NULL, profile_version = 0 WHERE uid = $1';
  await started.client.query(forget, [owner.uid]);
  await started.service.ask(identity.open, {}, owner);
  expect(await nameKept(owner)).toBeNull();
  await started.service.ask(identity.open, { profile: { displayName: 'Marta', version: 6 } }, owner);
  expect(await nameKept(owner)).toBe('Marta');
  await move(owner);
  expect((await started.mailsTo(owner.email, 1))[0]?.text).toMatch(/^Hello Marta,\s/);
});

test('a name announced before the account exists arrives with the log-in', async () => {
  const owner = makeCaller({ displayName: 'Former' });
  await name(owner, 'Marta', 4);
  const other = await started.openAccount();
  await name(other, 'Last', 2);
  await untilNamed(other, 'Last');
  await started.service.ask(identity.open, { profile: { displayName: 'Marta', version: 4 } }, owner);
  expect(await nameKept(owner)).toBe('Marta');
});

test('a name of a deleted account is not stored', async () => {
  const gone = makeCaller();
  await name(gone, 'Marta', 2);
  const other = await started.openAccount();
  await name(other, 'Last', 2);
  await untilNamed(other, 'Last');
  expect(await nameKept(gone)).toBeUndefined();
});
