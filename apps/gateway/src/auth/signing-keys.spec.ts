import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signingKeys } from './signing-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: 'ours' }).sign(privateKey);
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

/** The provider, with keys that are stale as soon as they are there. */
const provider = () => signingKeys(`http://127.0.0.1:${(keycloak.address() as AddressInfo).port}`, 1);
const keyBy = (provide: ReturnType<typeof provider>) =>
  new Promise<string | undefined>((resolve, reject) =>
    provide({} as never, token, (error, key) => (error ? reject(error as Error) : resolve(key as string))),
  );

it('goes on with a known key while Keycloak does not answer', async () => {
  const provide = provider();
  const key = await keyBy(provide);
  expect(key).toContain('PUBLIC KEY');

  status = 503;
  const before = asked;
  await expect.poll(() => keyBy(provide).then(() => asked), { timeout: 10_000 }).toBeGreaterThan(before);
  await expect(keyBy(provide)).resolves.toBe(key);
});

it('knows no key before Keycloak has answered once', async () => {
  status = 503;
  await expect(keyBy(provider())).rejects.toThrow();
});

it('drops a key that Keycloak has taken back', async () => {
  const provide = provider();
  await keyBy(provide);

  keys = [unknown];
  await expect
    .poll(() => keyBy(provide).then(String, () => 'refused'), { timeout: 10_000 })
    .not.toContain('PUBLIC KEY');
});
