import { generateKeyPairSync, KeyObject, type webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, jwtVerify, SignJWT } from 'jose';
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

/** Creates the key provider. With these times it fetches the keys again for each token. */
const provider = (times = { freshMs: 1, pauseMs: 1 }) =>
  signingKeys(`http://127.0.0.1:${(keycloak.address() as AddressInfo).port}`, times);
/** The key that verifies the token; undefined if the provider has no such key. */
async function keyBy(provide: ReturnType<typeof provider>, by = token): Promise<KeyObject | undefined> {
  try {
    const { key } = await jwtVerify(by, provide);
    return KeyObject.from(key as webcrypto.CryptoKey);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSInvalid) return undefined;
    throw error;
  }
}
const isOurs = (key: KeyObject | undefined) => key?.equals(publicKey) === true;

it('keeps using a cached key while Keycloak does not answer [gateway-1]', async () => {
  const provide = provider();
  expect(isOurs(await keyBy(provide))).toBe(true);

  status = 503;
  const before = asked;
  await waitFor(async () => expect(await keyBy(provide).then(() => asked)).toBeGreaterThan(before), {
    timeout: 10_000,
  });
  expect(isOurs(await keyBy(provide))).toBe(true);
});

it('keeps using a cached key while flooded with unknown key ids [gateway-2]', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 60_000 });
  await keyBy(provide);

  const strangers = await Promise.all(Array.from({ length: 20 }, (_, index) => tokenOf(`strange-${index}`)));
  const answers = await Promise.all([...strangers, token].map((one) => keyBy(provide, one)));
  expect(answers.slice(0, -1)).toEqual(strangers.map(() => undefined));
  expect(isOurs(answers.at(-1))).toBe(true);
  expect(asked).toBe(1);
});

it('fetches an unknown key once for concurrent requests', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 0 });
  await keyBy(provide);
  keys = [known, { ...known, kid: 'new' }];
  const fresh = await tokenOf('new');
  const answers = await Promise.all([fresh, fresh, fresh].map((one) => keyBy(provide, one)));
  expect(answers.filter(isOurs)).toHaveLength(3);
  expect(asked).toBe(2);
});

it('waits for a silent Keycloak only within the deadline of the request, and not for a known key', async () => {
  const provide = provider({ freshMs: 60_000, pauseMs: 0 });
  await keyBy(provide);
  keycloak.removeAllListeners('request').on('request', () => undefined);
  const since = performance.now();
  const unknownKey = withBudget(0, () => keyBy(provide, strange), 200);
  expect(isOurs(await withBudget(0, () => keyBy(provide), 200))).toBe(true);
  await expect(unknownKey).rejects.toThrow(KeysUnavailable);
  // The deadline of the request must end the wait, before the fetch times out after 3 s.
  expect(performance.now() - since).toBeLessThan(2500);
  keycloak.closeAllConnections();
});

it('treats a malformed token as unsigned', async () => {
  await expect(keyBy(provider(), 'not.a.token')).resolves.toBeUndefined();
  expect(asked).toBe(0);
});

it('rejects while the first fetch fails', async () => {
  status = 503;
  await expect(keyBy(provider())).rejects.toThrow();
});

it('drops a key that Keycloak has revoked', async () => {
  const provide = provider();
  await keyBy(provide);

  keys = [unknown];
  const key = () => keyBy(provide).catch(() => undefined);
  await waitFor(async () => expect(await key()).toBeUndefined(), { timeout: 10_000 });
});

it('fetches the keys from a moved Keycloak while the old address drops every packet', async () => {
  const { port } = keycloak.address() as AddressInfo;
  const place = await MovingName.open(port);
  try {
    const key = keyBy(signingKeys(place.in(`http://127.0.0.1:${port}`)));
    await place.dialled();
    place.move();
    expect(isOurs(await key)).toBe(true);
  } finally {
    place.close();
  }
});
