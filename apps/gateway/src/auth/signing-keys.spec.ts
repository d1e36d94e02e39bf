import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MovingName, waitFor } from '@stoa/testing';
import { withBudget } from '@stoa/messaging';
import { KeysUnavailable, signingKeys } from './signing-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const tokenOf = (kid: string) => new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
const token = await tokenOf('ours');
const strange = await tokenOf('strange');
const known = { ...publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256', use: 'sig' };
const unknown = { ...known, kid: 'another' };

let keycloak: Server;
let status: number;
let keys: object[];
let asked: number;
beforeEach(async () => {
  [status, keys, asked] = [200, [known], 0];
  keycloak = createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  await new Promise<void>((listening) => keycloak.listen(0, '127.0.0.1', listening));
});
afterEach(() => new Promise((closed) => keycloak.close(closed)));

/** The provider, with keys that are asked for again as soon as they are there. */
const provider = (times = { freshMs: 1, pauseMs: 1 }) =>
  signingKeys(`http://127.0.0.1:${(keycloak.address() as AddressInfo).port}`, times);
const keyBy = (provide: ReturnType<typeof provider>, by = token) =>
  new Promise<KeyObject | undefined>((resolve, reject) =>
    provide({} as never, by, (error, key) => (error ? reject(error as Error) : resolve(key))),
  );

it('keeps using a cached key while Keycloak does not answer', async () => {
  const provide = provider();
  const key = await keyBy(provide);
  expect(key?.equals(publicKey)).toBe(true);

  status = 503;
  const before = asked;
  await waitFor(async () => expect(await keyBy(provide).then(() => asked)).toBeGreaterThan(before), {
    timeout: 10_000,
  });
  await expect(keyBy(provide)).resolves.toBe(key);
});

it('keeps using a cached key while flooded with unknown key ids', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 60_000 });
  const key = await keyBy(provide);

  const strangers = await Promise.all(Array.from({ length: 20 }, (_, index) => tokenOf(`strange-${index}`)));
  const answers = await Promise.all([...strangers, token].map((one) => keyBy(provide, one)));
  expect(answers).toEqual([...strangers.map(() => undefined), key]);
  expect(asked).toBe(1);
});

it('fetches an unknown key once for concurrent requests', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 0 });
  await keyBy(provide);
  keys = [known, { ...known, kid: 'new' }];
  const fresh = await tokenOf('new');
  const answers = await Promise.all([fresh, fresh, fresh].map((one) => keyBy(provide, one)));
  expect(answers.filter((key) => key?.equals(publicKey))).toHaveLength(3);
  expect(asked).toBe(2);
});

it('waits for a silent Keycloak no longer than the request has left, and not at all for a known key', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 0 });
  const key = await keyBy(provide);
  keycloak.removeAllListeners('request').on('request', () => undefined);
  const since = performance.now();
  const unknownKey = withBudget(0, () => keyBy(provide, strange), 200);
  await expect(withBudget(0, () => keyBy(provide), 200)).resolves.toBe(key);
  await expect(unknownKey).rejects.toThrow(KeysUnavailable);
  // Keycloak itself is given up after 3 s.
  expect(performance.now() - since).toBeLessThan(2500);
  keycloak.closeAllConnections();
});

it('treats a malformed token as unsigned', async () => {
  await expect(keyBy(provider(), 'not.a.token')).resolves.toBeUndefined();
  expect(asked).toBe(0);
});

it('has no key before the first fetch succeeded', async () => {
  status = 503;
  await expect(keyBy(provider())).rejects.toThrow();
});

it('drops a key that Keycloak has revoked', async () => {
  const provide = provider();
  await keyBy(provide);

  keys = [unknown];
  await waitFor(
    async () => expect(await keyBy(provide).then(String, () => 'refused')).not.toBe('[object KeyObject]'),
    { timeout: 10_000 },
  );
});

it('fetches the keys from a Keycloak that has moved while the old address drops every packet', async () => {
  const { port } = keycloak.address() as AddressInfo;
  const place = await MovingName.open(port);
  try {
    const key = keyBy(signingKeys(place.in(`http://127.0.0.1:${port}`)));
    await place.dialled();
    place.move();
    expect((await key)?.equals(publicKey)).toBe(true);
  } finally {
    place.close();
  }
});
