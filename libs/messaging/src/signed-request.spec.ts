import { makeRequestKeys } from '@stoa/system';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ClocksApart, ForgedRequest, RequestSigner, RequestVerifier } from './signed-request.ts';

const caller = {
  uid: '7d3f1c1e-52ab-4a4f-9a35-1f6a4f1f0c11',
  sid: '6b1f8a52c0de',
  username: 'maya',
  email: 'maya@example.test',
  emailVerified: true,
  displayName: 'Maya Ōta 🌿',
  termsAcceptedAt: null,
};
const subject = 'rpc.creators.update';
const body = '{"paymentUrl":"https://pay.example/ō"}';
const publicKeyOf = (text: string) =>
  ({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }) as const;
const inFiveSeconds = () => Date.now() + 5000;
const keys = makeRequestKeys();
const signer = new RequestSigner(keys.signingKey);
const sign = (changes = {}) => signer.sign({ subject, body, caller, deadline: inFiveSeconds(), ...changes });
const verifier = (publicKeys = keys.publicKeys, most?: number) => new RequestVerifier(publicKeys, most);

afterEach(() => {
  jest.useRealTimers();
});

test('verifies the caller, and a visitor as null', async () => {
  expect(await verifier().verify(sign(), subject, Buffer.from(body))).toEqual(caller);
  expect(await verifier().verify(sign({ caller: null }), subject, body)).toBeNull();
});

test('a tampered body or subject is refused', async () => {
  const signed = sign();
  await expect(verifier().verify(signed, subject, `${body} `)).rejects.toThrow(ForgedRequest);
  await expect(verifier().verify(signed, 'rpc.creators.open', body)).rejects.toThrow(ForgedRequest);
});

test('a missing or foreign signature is refused', async () => {
  const [head, payload, signature] = sign().split('.') as [string, string, string];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const others = part({ ...claims, caller: { ...caller, uid: '00000000-0000-4000-8000-000000000000' } });
  const hmac = await new SignJWT({ ...claims })
    .setProtectedHeader({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg: 'HS256' })
    .sign(Buffer.from(keys.publicKeys, 'base64'));
  const forged = [
    '',
    'x',
    `${head}.${payload}.`,
    `${head}.${others}.${signature}`,
    `${part({ alg: 'none' })}.${payload}.`,
    hmac,
    new RequestSigner(makeRequestKeys().signingKey).sign({
      subject,
      body,
      caller,
      deadline: inFiveSeconds(),
    }),
  ];
  for (const token of forged)
    await expect(verifier().verify(token, subject, body)).rejects.toThrow(ForgedRequest);
});

/** Signed by the right key, as a library does it, but for what is changed. */
const likeOurs = (claims: object, header: object = {}) => {
  const [head, payload] = sign().split('.') as [string, string];
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as { alg: string };
  const key = createPrivateKey({ key: Buffer.from(keys.signingKey, 'base64'), format: 'der', type: 'pkcs8' });
  return new SignJWT({ ...read(payload), ...claims })
    .setProtectedHeader({ ...read(head), ...header })
    .sign(key);
};

test('a request that a library has signed is one like ours', async () => {
  expect(await verifier().verify(await likeOurs({}), subject, body)).toEqual(caller);
  const { payload } = await jwtVerify(sign(), createPublicKey(publicKeyOf(keys.publicKeys)), {
    audience: subject,
  });
  expect(payload['caller']).toEqual(caller);
});

test.each([
  ['of another type', {}, { typ: 'JWT' }],
  ['with an extension', {}, { b64: true, crit: ['b64'] }],
  ['for several subjects', { aud: [subject, 'rpc.creators.open'] }, {}],
  ['without an end', { exp: undefined }, {}],
  ['that was issued later than now', { iat: Math.floor(Date.now() / 1000) + 100 }, {}],
])('a request %s is refused though the key signed it', async (_, claims, header) => {
  const token = await likeOurs(claims, header);
  await expect(verifier().verify(token, subject, body)).rejects.toThrow(ForgedRequest);
});

test.each([
  ['behind', -40_000, 'it was over 36 s ago'],
  ['ahead', 40_000, 'it was issued 40 s later than now'],
])('a request of a gateway whose clock is %s by more than may be says so', async (_, apartMs, what) => {
  jest.useFakeTimers({ now: Date.now() - (Date.now() % 1000) });
  const now = Date.now();
  jest.setSystemTime(now + apartMs);
  const signed = sign({ deadline: Date.now() + 4000 });
  jest.setSystemTime(now);
  const refusal = verifier().verify(signed, subject, body);
  await expect(refusal).rejects.toThrow(ClocksApart);
  await expect(refusal).rejects.toThrow(what);
});

test('an expired request is refused, and one with too long a lifetime', async () => {
  await expect(verifier().verify(sign({ deadline: Date.now() - 31_000 }), subject, body)).rejects.toThrow(
    ForgedRequest,
  );
  await expect(verifier().verify(sign({ deadline: Date.now() + 120_000 }), subject, body)).rejects.toThrow(
    ForgedRequest,
  );
});

describe('a replayed request', () => {
  test('is refused for as long as it lives', async () => {
    jest.useFakeTimers();
    const receiver = verifier();
    const signed = sign();
    await receiver.verify(signed, subject, body);
    for (const seconds of [0, 20, 14, 2]) {
      jest.advanceTimersByTime(seconds * 1000);
      await expect(receiver.verify(signed, subject, body)).rejects.toThrow(ForgedRequest);
    }
  });

  test('is remembered in a bounded cache, the oldest evicted', async () => {
    const receiver = verifier(keys.publicKeys, 3);
    const signed = Array.from({ length: 4 }, () => sign());
    for (const each of signed) await receiver.verify(each, subject, body);
    for (const each of signed.slice(1))
      await expect(receiver.verify(each, subject, body)).rejects.toThrow('it came before');
  });
});

test('during key rotation requests signed with either key are accepted', async () => {
  const next = makeRequestKeys();
  const signedByNext = () =>
    new RequestSigner(next.signingKey).sign({ subject, body, caller, deadline: inFiveSeconds() });
  const both = verifier(`${keys.publicKeys},${next.publicKeys}`);
  expect(await both.verify(sign(), subject, body)).toEqual(caller);
  expect(await both.verify(signedByNext(), subject, body)).toEqual(caller);
  await expect(verifier(next.publicKeys).verify(sign(), subject, body)).rejects.toThrow(
    'nobody knows its key',
  );
});

test('keys of another type are refused at start-up', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  expect(() => verifier(rsa)).toThrow('Ed25519');
});
