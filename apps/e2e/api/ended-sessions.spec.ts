import { expect, test } from '@playwright/test';
import type { Creator, CreatorPage, Offering } from '@stoa/contracts';
import { freePorts } from '@stoa/system';
import { fetchJson, fetchApi, expectProblem } from '../src/api.ts';
import {
  changePassword,
  type TestCreator,
  makeCreator,
  makeOffering,
  saveProfile,
  upload,
} from '../src/creators.ts';
import { expectWithin } from '../src/deadline.ts';
import { deleteAccount, disableAccount, endSessionsOf } from '../src/keycloak-admin.ts';
import { type Replica, startReplica } from '../src/replica.ts';
import { realmUrl, theSystem } from '../src/system.ts';

test.describe.configure({ mode: 'serial' });

let replica: Replica;
let second: string;

test.beforeAll(async () => {
  const ports = await freePorts();
  second = `http://127.0.0.1:${ports.site}`;
  const settings = { PORT: String(ports.site), TRUST_PROXY: '1', SHUTDOWN_DELAY_MS: '0' };
  replica = await startReplica('gateway', ports.health, settings);
});
test.afterAll(() => replica.stop());

const ownPage = async (gateway: string, token: string) => {
  const { status, body } = await fetch(`${gateway}/api/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await body?.cancel();
  return status;
};

async function logOut({ refreshToken }: TestCreator): Promise<void> {
  const body = new URLSearchParams({ client_id: 'web', refresh_token: refreshToken });
  const { status } = await fetch(`${realmUrl()}/protocol/openid-connect/logout`, { method: 'POST', body });
  expect(status).toBe(204);
}

const ends: [how: string, end: (creator: TestCreator) => Promise<unknown>][] = [
  ['logged out', logOut],
  ['signed out everywhere', ({ token }) => fetchJson('POST', '/api/account/sign-out-everywhere', { token })],
  ['signed out by an administrator', ({ uid }) => endSessionsOf(uid)],
  [
    'signed in while a new password was chosen elsewhere',
    (creator) => changePassword(creator, 'an even newer one 7'),
  ],
  ['disabled', ({ uid }) => disableAccount(uid)],
  ['deleted', ({ uid }) => deleteAccount(uid)],
];

for (const [how, end] of ends) {
  test(`all gateways refuse a creator within 5 seconds who was ${how} [e2e-9]`, async () => {
    const [creator, other] = await Promise.all([makeCreator(), makeCreator()]);
    const gateways = [theSystem().siteUrl, second];
    for (const gateway of gateways) expect(await ownPage(gateway, creator.token)).toBe(200);
    await end(creator);
    const refused = async () => Promise.all(gateways.map((gateway) => ownPage(gateway, creator.token)));
    await expectWithin(5000, refused, [401, 401]);
    const body = { displayName: 'Still here' };
    await expectProblem(await fetchApi('PUT', '/api/me/profile', { token: creator.token, body }), 401);
    await expectProblem(await fetchApi('POST', '/api/session', { token: creator.token }), 401);
    for (const gateway of gateways) expect(await ownPage(gateway, other.token)).toBe(200);
  });
}

test('deleting an account removes its public content within seconds', async () => {
  const creator = await makeCreator();
  const { token, username, displayName, uid } = creator;
  const profileImageId = (await upload(token, 'profile-picture')).id;
  const { profileImage } = await saveProfile(token, { displayName, profileImageId });
  const { coverImage } = await makeOffering(token);
  const pictures = [profileImage, coverImage].map((picture) => {
    expect(picture).not.toBeNull();
    return `${theSystem().minio.publicEndpoint}/${theSystem().minio.buckets.public}/${picture?.path}/${picture?.widths[0]}.webp`;
  });
  const statuses = () => Promise.all(pictures.map(async (url) => (await fetch(url)).status));
  const found = async () =>
    (await fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`)).items.length;
  expect((await fetchJson<Creator>('GET', `/api/creators/${username}`)).uid).toBe(uid);
  expect(
    (await fetchJson<{ items: Offering[] }>('GET', `/api/creators/${username}/offerings`)).items,
  ).toHaveLength(1);
  expect(await found()).toBe(1);
  expect(await statuses()).toEqual([200, 200]);

  await deleteAccount(uid);
  const soon = 10_000;
  await expectWithin(soon, async () => (await fetchApi('GET', `/api/creators/${username}`)).status, 404);
  await expectWithin(soon, found, 0);
  await expectWithin(soon, async () => (await fetchApi('GET', `/profile/${username}`)).status, 404);
  // The edge refuses withdrawn objects immediately (403). Later the object store has deleted them (404).
  const isGone = async () => (await statuses()).every((status) => [403, 404].includes(status));
  await expectWithin(soon, isGone, true);
});
