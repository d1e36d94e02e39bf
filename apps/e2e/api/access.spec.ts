import { expect, test } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { randomIpAddress, fetchJson, fetchApi, expectProblem } from '../src/api.ts';
import { makeCreator, makeOffering, offeringFields, upload } from '../src/creators.ts';

const guarded: [method: string, path: string][] = [
  ['POST', '/api/session'],
  ['GET', '/api/me'],
  ['PUT', '/api/me/profile'],
  ['GET', '/api/me/offerings'],
  ['PUT', '/api/me/offerings/order'],
  ['GET', '/api/me/held-messages'],
  ['POST', '/api/me/proof-mails'],
  ['GET', '/api/account/sessions'],
  ['DELETE', '/api/account/sessions/PL4K2bIyVkLRBUeXgZjR-v6T'],
  ['POST', '/api/account/sign-out-everywhere'],
  ['POST', '/api/account/deletion'],
  ['GET', '/api/account/export'],
  ['POST', '/api/account/export'],
  ['POST', '/api/offerings'],
  ['GET', `/api/offerings/${randomUUID()}`],
  ['PUT', `/api/offerings/${randomUUID()}`],
  ['DELETE', `/api/offerings/${randomUUID()}`],
  ['POST', `/api/offerings/${randomUUID()}/duplicates`],
  ['POST', `/api/offerings/${randomUUID()}/delivery-key`],
  ['POST', '/api/sales'],
  ['GET', '/api/sales'],
  ['POST', `/api/sales/${randomUUID()}/closing`],
  ['POST', `/api/sales/${randomUUID()}/key`],
  ['POST', '/api/uploads'],
  ['GET', '/api/me/room'],
  ['DELETE', `/api/uploads/${randomUUID()}`],
  ['POST', `/api/uploads/${randomUUID()}/complete-file`],
  ['POST', `/api/uploads/${randomUUID()}/complete`],
  ['GET', `/api/downloads/${randomUUID()}/${randomUUID()}`],
];

/** Makes a token with valid claims and an invalid signature. */
function forged(algorithm: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: randomUUID(), typ: 'Bearer', aud: 'stoa-api', azp: 'web', exp: 4_000_000_000 };
  return `${part({ alg: algorithm, typ: 'JWT' })}.${part(claims)}.${algorithm === 'none' ? '' : 'c2lnbmF0dXJl'}`;
}

for (const [method, path] of guarded) {
  test(`${method} ${path.replace(/[0-9a-f-]{36}/g, '…')} requires a token [e2e-5]`, async () => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    for (const token of [undefined, 'nonsense', forged('none'), forged('RS256'), forged('HS256')]) {
      const response = await fetchApi(method, path, { token, body });
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      expect((await expectProblem(response, 401)).code).toBe('unauthenticated');
    }
  });
}

test("another creator's offering can be neither read nor changed nor deleted [e2e-6]", async () => {
  const [owner, stranger] = await Promise.all([makeCreator(), makeCreator()]);
  const offering = await makeOffering(owner.token);
  const path = `/api/offerings/${offering.id}`;
  const { token } = stranger;
  const body = { ...offeringFields(), title: 'Mine now', creatorId: stranger.uid };
  expect((await expectProblem(await fetchApi('GET', path, { token }), 403)).code).toBe('forbidden');
  await expectProblem(await fetchApi('PUT', path, { token, body }), 403);
  await expectProblem(await fetchApi('DELETE', path, { token }), 403);
  expect(await fetchJson('GET', path, { token: owner.token })).toEqual(offering);
});

test("another creator's upload cannot be attached", async () => {
  const [owner, stranger] = await Promise.all([makeCreator(), makeCreator()]);
  const cover = await upload(owner.token, 'offering-cover');
  const body = { ...offeringFields(), coverImageId: cover.id };
  await expectProblem(await fetchApi('POST', '/api/offerings', { token: stranger.token, body }), 400);
  await expectProblem(
    await fetchApi('POST', `/api/uploads/${cover.id}/complete`, { token: stranger.token }),
    404,
  );
  const asProfilePicture = {
    displayName: 'x',
    bio: '',
    paygates: [],
    socialLinks: { youtube: null, tiktok: null, instagram: null },
    niches: [],
    profileImageId: cover.id,
  };
  await expectProblem(
    await fetchApi('PUT', '/api/me/profile', { token: owner.token, body: asProfilePicture }),
    400,
  );
});

test('public responses have no private fields [e2e-7]', async () => {
  const owner = await makeCreator();
  await makeOffering(owner.token, { productUrl: 'https://files.example.com/for-my-eyes' });
  const seen = await (await fetchApi('GET', `/api/creators/${owner.username}/offerings`)).text();
  expect(seen).toContain('Letters by hand');
  expect(seen).not.toContain('for-my-eyes');
  expect(seen).not.toContain('productUrl');
});

test('the rate limit answers 429 per IP address', async () => {
  const headers = { 'x-forwarded-for': randomIpAddress() };
  const statuses: number[] = [];
  let refused: Response | undefined;
  // The limit refills by 10 requests a second, so the test only expects at least one refusal.
  while (!refused && statuses.length < 1200) {
    const responses = await Promise.all(
      Array.from({ length: 62 }, () => fetchApi('GET', '/api/config', { headers })),
    );
    refused = responses.find(({ status }) => status === 429);
    for (const response of responses) {
      statuses.push(response.status);
      if (response !== refused) await response.body?.cancel();
    }
  }
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600);
  if (!refused) throw new Error(`None of ${statuses.length} requests was refused.`);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await expectProblem(refused, 429)).code).toBe('rate_limited');
  expect((await fetchApi('GET', '/api/config')).status).toBe(200);
});

test('a repeated contact message is mailed once, and the sixth in an hour is refused', async () => {
  const headers = { 'x-forwarded-for': randomIpAddress() };
  const message = (id: string) => ({ id, name: 'A', email: 'a@example.test', subject: id, message: 'M' });
  const id = randomUUID();
  // The second request repeats the id of the first, so it does not count against the limit.
  for (const each of [id, id, randomUUID(), randomUUID(), randomUUID(), randomUUID()]) {
    const response = await fetchApi('POST', '/api/contact-messages', { headers, body: message(each) });
    expect(response.status).toBe(202);
  }
  const sixth = await fetchApi('POST', '/api/contact-messages', { headers, body: message(randomUUID()) });
  expect((await expectProblem(sixth, 429)).code).toBe('rate_limited');
});

test('pages have the security headers [e2e-8]', async () => {
  const { headers } = await fetchApi('GET', '/');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBeTruthy();
});
