import { deletionPhrase } from '@stoa/contracts';
import { withClient } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson } from '../src/api.ts';
import {
  makeCreator,
  makeOffering,
  saveProfile,
  type TestCreator,
  upload,
  uploadFile,
} from '../src/creators.ts';
import { randomFile } from '../src/files.ts';
import { findUser, verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, mails } from '../src/mail-catcher.ts';
import { controlProcess, pidOf } from '../src/process-control.ts';
import { objectsUnder, tablesWith, uploadPaths } from '../src/remains.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

interface Deletion {
  readonly removed: boolean;
  readonly erased: number;
  readonly finished: boolean;
  readonly attempts: number;
}

interface Leaver extends TestCreator {
  readonly paths: readonly string[];
}

const erasing = ['creators', 'offerings', 'media', 'contact'] as const;
const counts = ['1 profile', '1 offering', '2 pictures', '1 file', '2 messages to you', '1 message by you'];
/** The number that stood for the account, and nothing else of it. */
const kept = [
  'contact.closed_account',
  'creators.closed_account',
  'identity.account_deletion',
  'media.attachment',
  'media.withdrawn_card',
  'offerings.closed_account',
];
const words = ({ uid, email, username, displayName }: TestCreator) => [uid, email, username, displayName];
const within = (timeout: number) => ({ timeout, intervals: [100, 250, 500] });

const inIdentity = <T extends object>(statement: string, values: unknown[] = []) =>
  withClient(theSystem().postgres.urls.identity, async (client) => {
    return (await client.query<T>(statement, values)).rows;
  });

/** How far the deletion has come, by the record that its steps are kept in. */
async function deletionOf({ uid }: TestCreator): Promise<Deletion | undefined> {
  const [deletion] = await inIdentity<Deletion>(
    `SELECT removed_at IS NOT NULL AS removed, finished_at IS NOT NULL AS finished, attempts,
            (SELECT count(*)::int FROM jsonb_object_keys(erased)) AS erased
       FROM account_deletion WHERE uid = $1`,
    [uid],
  );
  return deletion;
}

/** Somebody with a profile, an offering with a file, and messages to and by them. */
async function makeLeaver(): Promise<Leaver> {
  const creator = await makeCreator();
  const { token, displayName, username, email, uid } = creator;
  await verifyEmail(creator);
  const profileImageId = (await upload(token, 'profile-picture')).id;
  await saveProfile(token, { displayName, contactBy: 'form', profileImageId });
  const { id: fileId } = await uploadFile(token, randomFile());
  await makeOffering(token, { fileId });
  const send = (path: string, from: string) =>
    fetchJson('POST', path, {
      body: { id: randomUUID(), name: 'A', email: from, subject: 'S', message: 'M' },
    });
  for (const from of ['one@example.test', 'two@example.test'])
    await send(`/api/creators/${username}/messages`, from);
  await send('/api/contact-messages', email);
  expect((await fetchApi('GET', `/api/creators/${username}/card.jpg`)).status).toBe(302);
  const paths = [...(await uploadPaths(uid)), `preview_cards/${uid}/`, `${uid}/`];
  expect(await objectsUnder(paths)).not.toEqual([]);
  // By this address contact knows whose message it is.
  await expect.poll(() => tablesWith([email])).toContain('contact.proved_address');
  return { ...creator, paths };
}

async function requestDeletion({ token }: TestCreator): Promise<void> {
  const body = { confirmation: deletionPhrase };
  expect((await fetchApi('POST', '/api/account/deletion', { token, body })).status).toBe(202);
}

/** Kills a part and waits until it runs again. */
async function kill(part: string): Promise<void> {
  const before = await pidOf(part);
  await controlProcess('kill', part);
  await expect
    .poll(async () => [null, before].includes(await pidOf(part)), { ...within(60_000), message: part })
    .toBe(false);
}

/** Has what waits for its next try done now: the pauses between tries double. What the services hold up is left to them. */
async function tryNow(): Promise<void> {
  await inIdentity(
    `UPDATE account_deletion SET next_try_at = now()
      WHERE finished_at IS NULL AND next_try_at > now() + interval '2 seconds'
        AND (removed_at IS NULL OR (SELECT count(*) FROM jsonb_object_keys(erased)) = $1)`,
    [erasing.length],
  );
}

const receiptsTo = async ({ email }: TestCreator) =>
  (await mails()).filter((mail) => isTo(email)(mail) && mail.subject === 'Your Stoa account is deleted');

test.afterEach(async () => {
  await Promise.allSettled(['mail', 'keycloak', ...erasing].map((part) => controlProcess('resume', part)));
});

test('a deletion is completed although any part is killed at any of its steps', async () => {
  // Keycloak starts within it.
  test.slow();
  const leavers = [await makeLeaver(), await makeLeaver(), await makeLeaver()] as const;
  const [atKeycloak, atServices, atReceipt] = leavers;

  // One account waits at each step, for a part that hangs.
  await controlProcess('pause', 'mail');
  await requestDeletion(atReceipt);
  const isUnmailed = { removed: true, erased: erasing.length, finished: false };
  await expect.poll(() => deletionOf(atReceipt), within(30_000)).toMatchObject(isUnmailed);
  await expect.poll(() => objectsUnder(atReceipt.paths), within(30_000)).toEqual([]);

  for (const service of erasing) await controlProcess('pause', service);
  await requestDeletion(atServices);
  const isUnerased = { removed: true, erased: 0, finished: false };
  await expect.poll(() => deletionOf(atServices), within(30_000)).toMatchObject(isUnerased);
  // Announced: the services have it in their hands.
  const unannounced = () => tablesWith([atServices.uid]);
  await expect.poll(unannounced, within(30_000)).not.toContain('identity.account');
  await expect.poll(unannounced, within(30_000)).not.toContain('identity.outbox');

  await controlProcess('pause', 'keycloak');
  await requestDeletion(atKeycloak);
  const isTried = async () => ((await deletionOf(atKeycloak))?.attempts ?? 0) > 0;
  await expect.poll(isTried, within(30_000)).toBe(true);

  await kill('identity');
  await kill('nats');
  await kill('minio');
  await kill('postgres');
  const steps = () => Promise.all(leavers.map(deletionOf));
  const waiting = [{ removed: false, erased: 0 }, isUnerased, isUnmailed];
  await expect(async () => expect(await steps()).toMatchObject(waiting)).toPass(within(30_000));
  for (const service of erasing) await kill(service);
  expect(await steps()).toMatchObject([{ removed: false }, {}, isUnmailed]);
  await kill('keycloak');
  await controlProcess('resume', 'mail');

  await expect(async () => {
    await tryNow();
    for (const deletion of await steps())
      expect(deletion).toMatchObject({ erased: erasing.length, finished: true });
  }).toPass(within(120_000));
  for (const leaver of leavers) {
    await expect.poll(() => tablesWith(words(leaver)), within(30_000)).toEqual(kept);
    await expect.poll(() => objectsUnder(leaver.paths), within(30_000)).toEqual([]);
    expect(await findUser(leaver.uid)).toBeUndefined();
    const receipts = await receiptsTo(leaver);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.text).toContain(counts.map((count) => `- ${count}\n`).join(''));
    expect(await tablesWith([leaver.email, leaver.username])).toEqual([]);
    expect((await fetchApi('GET', `/api/creators/${leaver.username}`)).status).toBe(404);
  }
});
