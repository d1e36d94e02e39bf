import { deletionPhrase } from '@stoa/contracts';
import { waitFor, withClient } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson } from '../api.ts';
import { makeCreator, makeOffering, saveProfile, type TestCreator, upload, uploadFile } from '../creators.ts';
import { randomFile } from '../files.ts';
import { findUser, verifyEmail } from '../keycloak-admin.ts';
import { isTo, mails, mailSource } from '../mail-catcher.ts';
import { objectsUnder, tablesWith, uploadPaths } from '../remains.ts';
import { theSystem } from '../system.ts';

/** How far a deletion has come, by the record that its steps are kept in. */
export interface Deletion {
  readonly removed: boolean;
  readonly erased: readonly string[];
  readonly finished: boolean;
  readonly attempts: number;
}

/** Somebody who goes, and where the objects of what they have uploaded lie. */
export interface Leaver extends TestCreator {
  readonly paths: readonly string[];
}

/** Those that hold something of an account. */
export const erasing = ['creators', 'offerings', 'media', 'contact'] as const;
/** What the receipt has to say of a leaver. */
const counts = ['1 profile', '1 offering', '2 pictures', '1 file', '2 messages to you', '1 message by you'];
/** The number that stood for the account, and nothing else of it. */
export const keptOfDeleted: readonly string[] = [
  'contact.closed_account',
  'creators.closed_account',
  'identity.account_deletion',
  'media.attachment',
  'media.withdrawal',
  'media.withdrawal_list',
  'media.withdrawn_card',
  'offerings.closed_account',
];
export const receiptSubject = 'Your Stoa account is deleted';
const looksFor = { timeout: 30_000, interval: 200 };

const inIdentity = <T extends object>(statement: string, values: unknown[] = []) =>
  withClient(theSystem().postgres.urls.identity, async (client) => {
    return (await client.query<T>(statement, values)).rows;
  });

export async function deletionOf({ uid }: TestCreator): Promise<Deletion | undefined> {
  const [deletion] = await inIdentity<Deletion>(
    `SELECT removed_at IS NOT NULL AS removed, finished_at IS NOT NULL AS finished, attempts,
            ARRAY(SELECT jsonb_object_keys(erased) ORDER BY 1) AS erased
       FROM account_deletion WHERE uid = $1`,
    [uid],
  );
  return deletion;
}

/** Somebody with a profile, an offering with a picture and a file, and messages to and by them. */
export async function makeLeaver(): Promise<Leaver> {
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
  const card = await fetchApi('GET', `/api/creators/${username}/card.jpg`);
  if (card.status !== 302) throw new Error(`The preview card was answered ${card.status}.`);
  const paths = [...(await uploadPaths(uid)), `preview_cards/${uid}/`, `${uid}/`];
  if ((await objectsUnder(paths)).length === 0) throw new Error('Nothing was stored.');
  // By this address contact knows whose message it is.
  await waitFor(async () => {
    if (!(await tablesWith([email])).includes('contact.proved_address')) throw new Error('not proved yet');
  }, looksFor);
  return { ...creator, paths };
}

export async function requestDeletion({ token }: TestCreator): Promise<void> {
  const body = { confirmation: deletionPhrase };
  const { status } = await fetchApi('POST', '/api/account/deletion', { token, body });
  if (status !== 202) throw new Error(`The deletion was answered ${status}.`);
}

/** Has what waits for its next try done now: the pauses between tries double. What the services hold up is left to them. */
export async function tryNow(): Promise<void> {
  await inIdentity(
    `UPDATE account_deletion SET next_try_at = now()
      WHERE finished_at IS NULL AND next_try_at > now() + interval '2 seconds'
        AND (removed_at IS NULL OR (SELECT count(*) FROM jsonb_object_keys(erased)) = $1)`,
    [erasing.length],
  );
}

/** Every receipt that was taken for a leaver, also one that was handed over again under the same Message-ID. */
export const receiptsTo = async ({ email }: TestCreator) =>
  (await mails()).filter((mail) => isTo(email)(mail) && mail.subject === receiptSubject);

/** What is not as it has to be once a deletion is finished: things that are left, or a receipt that is missing or wrong. */
export async function flawsOf(leaver: Leaver): Promise<string[]> {
  const { uid, email, username, displayName, paths } = leaver;
  const flaws: string[] = [];
  const tables = await tablesWith([uid, email, username, displayName]);
  if (tables.join() !== keptOfDeleted.join())
    flaws.push(`rows are left in other tables than expected: ${tables.join(', ')}`);
  const named = await tablesWith([email, username]);
  if (named.length > 0) flaws.push(`a name is left in ${named.join(', ')}`);
  const objects = await objectsUnder(paths);
  if (objects.length > 0) flaws.push(`objects are left: ${objects.join(', ')}`);
  if (await findUser(uid)) flaws.push('Keycloak still has the user');
  const receipts = await receiptsTo(leaver);
  const ids = await Promise.all(
    receipts.map(async (mail) => /^message-id:\s*(\S+)/im.exec(await mailSource(mail))?.[1]),
  );
  // A mail server may be handed one again, under the id by which a mailbox knows it.
  if (new Set(ids).size !== 1) flaws.push(`${new Set(ids).size} receipts came`);
  const wanted = counts.map((count) => `- ${count}\n`).join('');
  for (const { text } of receipts)
    if (!text.includes(wanted)) flaws.push(`a receipt counts otherwise: ${text}`);
  const { status } = await fetchApi('GET', `/api/creators/${username}`);
  if (status !== 404) flaws.push(`the profile is answered ${status}`);
  return flaws;
}
