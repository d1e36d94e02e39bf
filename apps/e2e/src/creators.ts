import type {
  Creator,
  NewOfferingForm,
  Offering,
  Picture,
  ProfileForm,
  PublicCreator,
  StoredFile,
  UploadGrant,
  UploadPurpose,
} from '@stoa/contracts';
import { expect } from '@playwright/test';
import { changeAccount, signIn, signUp } from '@stoa/realm';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson, randomIpAddress } from './api.ts';
import { type BrowserState, signedInState } from './browser-state.ts';
import { randomPhoto, type PictureFile } from './pictures.ts';
import { realmUrl, theSystem } from './system.ts';

/** Maximum requests to complete an upload. Together they wait longer than the longest check. */
const maxCheckAttempts = 8;

export interface Account {
  displayName: string;
  username: string;
  email: string;
  password: string;
}

/** Makes random data for a new account. */
export function newAccount(): Account {
  const mark = randomUUID().slice(0, 8);
  return {
    displayName: `Nomvula ${mark}`,
    username: `nomvula-${mark}`,
    email: `nomvula-${mark}@example.test`,
    password: `columns and ${mark}`,
  };
}

/** A creator that a test has made through the API. */
export interface TestCreator extends Account {
  token: string;
  refreshToken: string;
  /** Cookies and local storage of a browser with the session of the sign-up. */
  browserState: BrowserState;
  uid: string;
  createdAt: string;
}

const flow = () => ({
  issuer: realmUrl(),
  clientId: 'web',
  redirectUri: `${theSystem().siteUrl}/auth/callback`,
  headers: { 'x-forwarded-for': randomIpAddress() },
});

/** Signs up an account, without opening a session at the site. */
export async function makeAccount(
  account: Account = newAccount(),
): Promise<Pick<TestCreator, 'token' | 'refreshToken' | 'browserState'>> {
  const { accessToken, refreshToken, cookies } = await signUp({ ...flow(), ...account });
  return { token: accessToken, refreshToken, browserState: signedInState(cookies) };
}

/** Logs in and returns the access token, which is valid for 5 minutes. */
export async function newToken({ username, password }: Account): Promise<string> {
  return (await signIn({ ...flow(), username, password })).accessToken;
}

/** Changes the password on Keycloak's page, in a new session. */
export async function changePassword({ username, password }: Account, wanted: string): Promise<void> {
  const answers = { 'password-new': wanted, 'password-confirm': wanted };
  const seen = await changeAccount({ ...flow(), username, password }, { action: 'UPDATE_PASSWORD', answers });
  if (seen.kind === 'page') throw new Error('Keycloak did not take the new password.');
}

/** Makes a creator with a public profile. */
export async function makeCreator(account: Account = newAccount()): Promise<TestCreator> {
  const creator = await makeNewcomer(account);
  await saveProfile(creator.token, { displayName: account.displayName, contactBy: 'email' });
  return creator;
}

/** Makes a creator whose profile is not saved yet. */
export async function makeNewcomer(account: Account = newAccount()): Promise<TestCreator> {
  const opened = await makeAccount(account);
  const { uid, createdAt } = await fetchJson<Creator>('POST', '/api/session', { token: opened.token });
  return { ...account, ...opened, uid, createdAt };
}

/** Gets new tokens for a creator's session. They contain the current data of the account, such as new roles. */
export async function renewToken(creator: TestCreator): Promise<string> {
  const grant = { grant_type: 'refresh_token', client_id: 'web', refresh_token: creator.refreshToken };
  const response = await fetch(`${realmUrl()}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { 'x-forwarded-for': randomIpAddress() },
    body: new URLSearchParams(grant),
  });
  const { access_token: token, refresh_token: next } = (await response.json()) as Record<string, string>;
  if (token === undefined || next === undefined) throw new Error(`Keycloak answered ${response.status}.`);
  creator.refreshToken = next;
  return token;
}

export function saveProfile(token: string, changes: Partial<ProfileForm>): Promise<Creator> {
  const body: ProfileForm = {
    displayName: 'Nomvula',
    bio: '',
    paygates: [],
    socialLinks: { youtube: null, tiktok: null, instagram: null },
    niches: [],
    ...changes,
  };
  return fetchJson('PUT', '/api/me/profile', { token, body });
}

export function requestUpload(
  token: string,
  purpose: UploadPurpose,
  { name: filename, mimeType: contentType, buffer }: PictureFile,
): Promise<UploadGrant> {
  return fetchJson('POST', '/api/uploads', {
    token,
    body: { purpose, filename, contentType, size: buffer.length },
  });
}

/** Posts a file to the object store, as a browser does. */
export function postFile(grant: UploadGrant, { name, mimeType, buffer }: PictureFile): Promise<Response> {
  const form = new FormData();
  for (const [key, value] of Object.entries(grant.fields)) form.append(key, value);
  form.append('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  return fetch(grant.url, { method: 'POST', body: form });
}

export async function upload(token: string, purpose: UploadPurpose, file?: PictureFile): Promise<Picture> {
  const picture = file ?? (await randomPhoto());
  const grant = await requestUpload(token, purpose, picture);
  const response = await postFile(grant, picture);
  if (!response.ok) throw new Error(`The object store answered ${response.status} ${await response.text()}`);
  return complete(`/api/uploads/${grant.id}/complete`, token);
}

export async function uploadFile(token: string, file: PictureFile): Promise<StoredFile> {
  const grant = await requestUpload(token, 'offering-file', file);
  const response = await postFile(grant, file);
  if (!response.ok) throw new Error(`The object store answered ${response.status} ${await response.text()}`);
  return complete(`/api/uploads/${grant.id}/complete-file`, token);
}

/** Completes an upload, as a browser does: it repeats the request while the check takes longer than one request. */
async function complete<T>(path: string, token: string): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchApi('POST', path, { token });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    if (response.status !== 504 || attempt === maxCheckAttempts)
      throw new Error(`${path}: ${response.status} ${text}`);
  }
}

export async function makeOffering(token: string, changes: Partial<NewOfferingForm> = {}): Promise<Offering> {
  const cover = changes.coverImageId ?? (await upload(token, 'offering-cover')).id;
  return fetchJson('POST', '/api/offerings', {
    token,
    body: { ...offeringFields(), ...changes, coverImageId: cover },
  });
}

export function offeringFields() {
  const mark = randomUUID().slice(0, 8);
  return {
    title: `Letters by hand ${mark}`,
    description: 'Twelve letters, one a month.',
    price: 'R150',
    type: 'eBook' as const,
    paymentUrl: `https://pay.example.com/${mark}`,
    productUrl: null,
  };
}

/** A creator with content on every page. */
export interface FullCreator extends TestCreator {
  offeringId: string;
  slug: string;
}

export async function makeFullCreator(account: Account = newAccount()): Promise<FullCreator> {
  const creator = await makeCreator(account);
  const { token, displayName } = creator;
  await saveProfile(token, {
    displayName,
    bio: 'Paper, ink and patience. Letters for people who still read them slowly, more than once.',
    niches: ['Writer', 'Poet', 'Healer', 'Coach'],
    paygates: [
      { name: 'PayPal', url: 'https://paypal.example.com/x' },
      { name: 'Oneverylongwordof'.repeat(4).slice(0, 60), url: 'https://till.example.com/x' },
    ],
    socialLinks: {
      youtube: 'https://www.youtube.com/x',
      tiktok: 'https://www.tiktok.com/x',
      instagram: 'https://www.instagram.com/x',
    },
    profileImageId: (await upload(token, 'profile-picture')).id,
  });
  const { id: offeringId, slug } = await makeOffering(token, {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
    description: 'One letter a month, by hand, on paper from a mill that has made it since 1650.',
  });
  await makeOffering(token);
  // Waits for the event that updates the number of offerings, because some tests compare two reads.
  const isCounted = async () => {
    const { offeringCount } = await fetchJson<PublicCreator>('GET', `/api/creators/${creator.username}`);
    return offeringCount === 2;
  };
  await expect.poll(isCounted, { timeout: 60_000, intervals: [100] }).toBe(true);
  return { ...creator, offeringId, slug };
}
