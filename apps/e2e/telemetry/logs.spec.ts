import { randomIpAddress, fetchApi } from '../src/api.ts';
import { logLines } from '../src/logs.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/telemetry-test.ts';
import { useCases } from '../src/use-cases.ts';

/** Data that logs must not contain. The test reads the log lines of all earlier tests. */
const forbidden: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+@[\w-]+\.(test|localhost)/,
  'a token': /eyJ[\w-]{8,}\.[\w-]+/,
  'an authorization': /Bearer |authorization/i,
  'a password': /columns and [0-9a-f]{8}|password=/,
  'a key in an address': /[?&](key|X-Amz-Signature|code|state)=/i,
  "a visitor's address": /\b198\.1[89]\.\d+\.\d+\b/,
};

test.beforeAll(async ({ scene, story: _ }) => {
  const headers = { 'x-forwarded-for': randomIpAddress() };
  await fetchApi('GET', '/api/creators?key=abcdefgh&search=somebody%40private.test', { headers });
  await fetchApi('POST', '/api/offerings', {
    raw: '{"email":"broken@private.test"',
    token: scene.creator.token,
  });
});

test('logs are JSON and name their service [e2e-188]', () => {
  const lines = logLines();
  expect(lines.length).toBeGreaterThan(useCases.length);
  // One assertion for tens of thousands of lines, because each assertion takes milliseconds.
  expect(lines.filter(({ app, text }) => serviceIn(text) !== app)).toEqual([]);
});

function serviceIn(line: string): unknown {
  try {
    return (JSON.parse(line) as { service?: unknown }).service;
  } catch {
    return undefined;
  }
}

for (const [what, pattern] of Object.entries(forbidden)) {
  test(`no log contains ${what}`, () => {
    expect(logLines().filter(({ text }) => pattern.test(text))).toEqual([]);
  });
}

test('no log contains a secret of the system [e2e-189]', () => {
  const { postgres, nats, minio, keycloak } = theSystem();
  const secrets = [
    ...Object.values(postgres.urls).map((url) => new URL(url).password),
    ...Object.values(nats.users).map(({ pass }) => pass),
    minio.root.secretKey,
    ...Object.values(minio.keys).map(({ secretKey }) => secretKey),
    minio.keys.work.accessKey,
    keycloak.setUpSecret,
    keycloak.bootstrapSecret,
    keycloak.identitySecret,
  ];
  expect(secrets.every((secret) => secret.length > 8)).toBe(true);
  expect(logLines().filter(({ text }) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
