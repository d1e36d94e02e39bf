import { deletionPhrase } from '@stoa/contracts';
import { waitFor, withClient } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson } from './api.ts';
import { makeCreator, makeOffering, saveProfile, type TestCreator, upload, uploadFile } from './creators.ts';
import { randomFile } from './files.ts';
import { findUser, verifyEmail } from './keycloak-admin.ts';
import { isTo, mails, mailSource } from './mail-catcher.ts';
import { objectsUnder, tablesWith, uploadPaths } from './remains.ts';
import { theSystem } from './system.ts';

/** How far a deletion has come, by its row in identity's database. */
export interface Deletion {
  readonly removed: boolean;
  readonly erased: readonly string[];
  readonly finished: boolean;
  readonly attempts: number;
}

/** A creator whose account will be deleted, with the beginnings of the keys of all stored objects. */
export interface Leaver extends TestCreator {
  readonly paths: readonly string[];
}

/** The services that delete data of a closed account. */
export const erasingServices = ['creators', 'offerings', 'media', 'contact'] as const;
/** The counts in the receipt for a leaver. */
const counts = [
  '1 profile',
  '1 offering',
  '2 pictures',
  '1 file',
  '1 sale',
  '2 messages to you',
  '1 message by you',
];
/** The tables that keep the id of a deleted account and nothing else of it. */
export const tablesKeptAfterDeletion: readonly string[] = [
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

/** Creates an account with a profile, an offering with a picture, a file and a sale, and messages to and from the owner. */
export async function makeLeaver(): Promise<Leaver> {
  const creator = await makeCreator();
  const { token, displayName, username, email, uid } = creator;
  await verifyEmail(creator);
  const profileImageId = (await upload(token, 'profile-picture')).id;
  await saveProfile(token, { displayName, contactBy: 'form', profileImageId });
  const file = await uploadFile(token, randomFile());
  const { id: offeringId } = await makeOffering(token, { files: [{ id: file.id }] });
  await fetchJson('POST', '/api/sales', { token, body: { offeringId, transactionId: randomUUID() } });
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
  // Waits, because the contact service finds the owner's messages by the confirmed address.
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

/**
 * Makes deletions due now that wait after a failure, because their pauses double. Those that wait for a service are not
 * affected.
 */
export async function retryDeletionsNow(): Promise<void> {
  await inIdentity(
    `UPDATE account_deletion SET next_try_at = now()
      WHERE finished_at IS NULL AND next_try_at > now() + interval '2 seconds'
        AND (removed_at IS NULL OR (SELECT count(*) FROM jsonb_object_keys(erased)) = $1)`,
    [erasingServices.length],
  );
}

/** All receipts of a deletion. A mail that was sent twice has the same Message-ID. */
export const receiptsTo = async ({ email }: TestCreator) =>
  (await mails()).filter((mail) => isTo(email)(mail) && mail.subject === receiptSubject);

/** What is wrong after a deletion: data that is left, or a missing or wrong receipt. */
export async function deletionFaults(leaver: Leaver): Promise<string[]> {
  const { uid, email, username, displayName, paths } = leaver;
  const flaws: string[] = [];
  const tables = await tablesWith([uid, email, username, displayName]);
  if (tables.join() !== tablesKeptAfterDeletion.join())
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
  // A receipt that was sent twice has the same Message-ID, and so counts once.
  if (new Set(ids).size !== 1) flaws.push(`${new Set(ids).size} receipts came`);
  const wanted = counts.map((count) => `- ${count}\n`).join('');
  for (const { text } of receipts)
    if (!text.includes(wanted)) flaws.push(`a receipt counts otherwise: ${text}`);
  const { status } = await fetchApi('GET', `/api/creators/${username}`);
  if (status !== 404) flaws.push(`the profile is answered ${status}`);
  return flaws;
}
