import { deletionPhrase, identity, limits } from '@stoa/contracts';
import { makeCaller, type RealmUnderTest, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from './identity-under-test.ts';

let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());

/** Somebody who has just signed up, as their first token shows them. */
async function aNewcomer() {
  const { uid, username, email } = await realm.signUp();
  return makeCaller({ uid, username, email, emailVerified: false });
}

test('a sign-up is mailed one verification link, however often the account is opened', async () => {
  const caller = await aNewcomer();
  await Promise.all([1, 2, 3].map(() => service.ask(identity.open, {}, caller)));
  await waitFor(async () => expect(await realm.mailsTo(caller.email)).toHaveLength(1), { timeout: 15_000 });
  await service.ask(identity.open, {}, caller);
  const again = service.ask(identity.sendProof, {}, caller);
  await expect(again).rejects.toMatchObject({ code: 'rate_limited' });
  const [mail] = await realm.mailsTo(caller.email);
  expect(mail).toMatchObject({ subject: 'Confirm your email for Stoa' });
  expect(await realm.mailsTo(caller.email)).toHaveLength(1);

  await realm.openLink(mail?.text ?? '');
  const proved = await service.events.next(identity.emailVerified, ({ uid }) => uid === caller.uid);
  expect(proved.email).toBe(caller.email);
});

test('an address that a token says is verified is published once', async () => {
  const caller = makeCaller({ emailVerified: true });
  await service.ask(identity.open, {}, caller);
  await service.ask(identity.open, {}, caller);
  await service.ask(identity.sendProof, {}, caller);
  await service.events.next(identity.emailVerified, ({ uid }) => uid === caller.uid);
  const told = service.events.all(identity.emailVerified).filter(({ uid }) => uid === caller.uid);
  expect(told).toHaveLength(1);
  expect(await realm.mailsTo(caller.email)).toEqual([]);
});

test('an address that nobody has proved gets a few mails a day, however many accounts name it', async () => {
  const email = `${randomUUID()}@example.test`;
  for (let round = 0; round < limits.unprovedMailsPerDay + 3; round += 1) {
    const caller = makeCaller({ email, emailVerified: false, authenticatedAt: new Date().toISOString() });
    await service.ask(identity.open, {}, caller);
    await service.ask(identity.deleteAccount, { confirmation: deletionPhrase }, caller);
  }
  const { rows } = await started.client.query<{ receipts: number }>(
    'SELECT count(*)::int AS receipts FROM account_deletion WHERE address = $1',
    [email],
  );
  expect(rows[0]?.receipts).toBeGreaterThan(0);
  expect(rows[0]?.receipts).toBeLessThanOrEqual(limits.unprovedMailsPerDay);
});

test('a failed verification mail can be requested again at once', async () => {
  // Keycloak knows no such user.
  const nobody = makeCaller({ emailVerified: false });
  await service.ask(identity.open, {}, nobody);
  const asked = () => service.ask(identity.sendProof, {}, nobody);
  await waitFor(async () => expect(await asked()).toEqual({}), { timeout: 10_000 });
  await waitFor(async () => expect(await asked()).toEqual({}), { timeout: 10_000 });
});
