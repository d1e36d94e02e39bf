import type { Creator, CreatorPage, OfferingList } from '@stoa/contracts';
import { expect, test } from '@playwright/test';
import { request } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { randomIpAddress, fetchJson, fetchApi, expectInvalidFields, expectProblem } from '../src/api.ts';
import { makeCreator, type TestCreator, offeringFields, upload } from '../src/creators.ts';
import { theSystem } from '../src/system.ts';

let creator: TestCreator;
let coverImageId: string;
let before: Creator;

test.beforeAll(async () => {
  creator = await makeCreator();
  coverImageId = (await upload(creator.token, 'offering-cover')).id;
  before = await fetchJson('GET', '/api/me', { token: creator.token });
});

const profile = () => ({
  displayName: 'Somebody',
  bio: '',
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
});

const badProfiles: [what: string, changes: Record<string, unknown>, fields: string[]][] = [
  ['no name', { displayName: '   ' }, ['displayName']],
  ['a name of two lines', { displayName: 'a\nb' }, ['displayName']],
  ['a name with a NUL', { displayName: 'a\u0000b' }, ['displayName']],
  ['a bio that is too long', { bio: 'x'.repeat(2001) }, ['bio']],
  ['a bio that is no text', { bio: 7 }, ['bio']],
  ['an unknown niche', { niches: ['Banker'] }, ['niches.0']],
  ['a niche twice', { niches: ['Poet', 'Poet'] }, ['niches']],
  ['a link that runs', { paygates: [{ name: 'x', url: 'javascript:alert(1)' }] }, ['paygates.0.url']],
  ['a link with a password', { paygates: [{ name: 'x', url: 'https://a:b@c.d' }] }, ['paygates.0.url']],
  ['half a row', { paygates: [{ name: '', url: 'https://a.test' }] }, ['paygates.0.name']],
  ['a picture that is no id', { profileImageId: '../../etc' }, ['profileImageId']],
  ['no social links', { socialLinks: undefined }, ['socialLinks']],
  ["a picture that isn't there", { profileImageId: randomUUID() }, ['profileImageId']],
];

for (const [what, changes, fields] of badProfiles) {
  test(`a profile with ${what} is refused [e2e-13]`, async () => {
    const body = { ...profile(), ...changes };
    expect(
      await expectInvalidFields(await fetchApi('PUT', '/api/me/profile', { token: creator.token, body })),
    ).toEqual(fields);
  });
}

const badOfferings: [what: string, changes: Record<string, unknown>, fields: string[]][] = [
  ['no title', { title: '' }, ['title']],
  ['a description of 1001 characters', { description: 'ü'.repeat(1001) }, ['description']],
  ['no price', { price: ' ' }, ['price']],
  ['an unknown type', { type: 'Car' }, ['type']],
  ['no payment link', { paymentUrl: '' }, ['paymentUrl']],
  ['a payment link that runs', { paymentUrl: 'data:text/html,x' }, ['paymentUrl']],
  ['a product link that is none', { productUrl: 'file:///etc/passwd' }, ['productUrl']],
  ['no cover', { coverImageId: undefined }, ['coverImageId']],
  ['a cover nobody uploaded', { coverImageId: randomUUID() }, ['coverImageId']],
  ['everything wrong', { title: 1, price: null, paymentUrl: 'x' }, ['paymentUrl', 'price', 'title']],
];

for (const [what, changes, fields] of badOfferings) {
  test(`an offering with ${what} is refused [e2e-14]`, async () => {
    const body = { ...offeringFields(), coverImageId, ...changes };
    expect(
      await expectInvalidFields(await fetchApi('POST', '/api/offerings', { token: creator.token, body })),
    ).toEqual(fields);
  });
}

const badMessages: [what: string, changes: Record<string, unknown>, fields: string[]][] = [
  ['no id', { id: undefined }, ['id']],
  ['an address that is none', { email: 'a@' }, ['email']],
  ['a header in its subject', { subject: 'Hi\r\nBcc: all@example.test' }, ['subject']],
  ['a header in its name', { name: 'A\nB' }, ['name']],
  ['a message that is too long', { message: 'x'.repeat(5001) }, ['message']],
];

for (const [what, changes, fields] of badMessages) {
  test(`a contact message with ${what} is refused [e2e-15]`, async () => {
    const good = { id: randomUUID(), name: 'A', email: 'a@example.test', subject: 'S', message: 'M' };
    const body = { ...good, ...changes };
    expect(await expectInvalidFields(await fetchApi('POST', '/api/contact-messages', { body }))).toEqual(
      fields,
    );
  });
}

const badAddresses: [method: string, path: string, status: number][] = [
  ['GET', '/api/offerings/nonsense', 400],
  ['GET', `/api/offerings/${'x'.repeat(300)}`, 404],
  ['DELETE', '/api/offerings/%00', 400],
  ['GET', '/api/creators?niche=Banker', 400],
  ['GET', '/api/creators?limit=0', 400],
  ['GET', '/api/creators?limit=many', 400],
  ['GET', '/api/creators?cursor=made-up', 400],
  ['GET', `/api/creators?search=${'x'.repeat(101)}`, 400],
  ['GET', '/api/creators/nobody-at-all', 404],
  ['GET', '/api/creators/nobody-at-all/offerings', 404],
  ['GET', '/api/nothing/here', 404],
  ['PATCH', '/api/me', 405],
  ['POST', '/api/creators', 405],
  ['GET', '/assets/no-such-file.js', 404],
  ['GET', '/api/creators/%E0%A4%A', 400],
];

for (const [method, path, status] of badAddresses) {
  test(`${method} ${path.slice(0, 60)} answers ${status} [e2e-16]`, async () => {
    const response = await fetchApi(method, path, { token: creator.token });
    await expectProblem(response, status);
  });
}

// The requests use node:http, because `fetch` resolves `..` in paths.
for (const path of [
  '/api/../../etc/passwd',
  '/assets/../../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%2f..%2f..%2fetc/passwd',
]) {
  test(`${path} is no path traversal [e2e-17]`, async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(theSystem().siteUrl, { path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });
}

test('a body that is not JSON is refused', async () => {
  const { token } = creator;
  await expectProblem(await fetchApi('PUT', '/api/me/profile', { token, raw: '{"displayName":' }), 400);
  await expectProblem(await fetchApi('PUT', '/api/me/profile', { token, raw: '[]' }), 400);
  await expectProblem(await fetchApi('PUT', '/api/me/profile', { token, raw: 'null' }), 400);
  const polluted = '{"__proto__":{"uid":"x"},"displayName":"x"}';
  await expectProblem(await fetchApi('PUT', '/api/me/profile', { token, raw: polluted }), 400);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetchApi('PUT', '/api/me/profile', { token, raw: 'displayName=x', headers: form });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
});

test('unknown fields are not stored (mass assignment) [e2e-18]', async () => {
  const other = await makeCreator();
  const body = { ...profile(), username: creator.username, uid: creator.uid, email: 'x@y.z', version: 99 };
  await fetchApi('PUT', '/api/me/profile', { token: other.token, body });
  const now = await fetchJson<Creator>('GET', '/api/me', { token: other.token });
  expect(now).toMatchObject({ uid: other.uid, username: other.username, email: other.email });
});

test('a body over the limit is refused before it is read', async () => {
  const { siteUrl } = theSystem();
  const answer = await new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
    const attempt = request(`${siteUrl}/api/me/profile`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${creator.token}`,
        'content-type': 'application/json',
        'content-length': 50_000_000,
        'x-forwarded-for': randomIpAddress(),
      },
    });
    attempt.on('error', reject);
    attempt.on('response', (response) => {
      resolve({ status: response.statusCode, sent: attempt.socket?.bytesWritten ?? 0 });
      attempt.destroy();
    });
    attempt.write('{"displayName":"');
  });
  expect(answer.status).toBe(413);
  expect(answer.sent).toBeLessThan(10_000);
  const body = { ...profile(), bio: 'x'.repeat(200_000) };
  await expectProblem(await fetchApi('PUT', '/api/me/profile', { token: creator.token, body }), 413);
});

test('none of the refused input is stored', async () => {
  const { token, username } = await makeCreator();
  const cover = await upload(token, 'offering-cover');
  for (const [, changes] of badProfiles) {
    await fetchApi('PUT', '/api/me/profile', { token, body: { ...profile(), ...changes } });
  }
  for (const [, changes] of badOfferings) {
    await fetchApi('POST', '/api/offerings', {
      token,
      body: { ...offeringFields(), coverImageId: cover.id, ...changes },
    });
  }
  const now = await fetchJson<Creator>('GET', '/api/me', { token });
  expect(now.displayName).not.toBe('Somebody');
  expect(now.version).toBe(before.version);
  expect(
    (await fetchJson<z.infer<typeof OfferingList>>('GET', '/api/me/offerings', { token })).items,
  ).toEqual([]);
  const page = await fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`);
  expect(page.items[0]?.offeringCount).toBe(0);
});
