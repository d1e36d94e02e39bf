import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { authorityFile, certificateOf, makeCertificates, provenParts, wantsTls } from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-certificates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (file: string) => new X509Certificate(readFileSync(file));

it('makes an authority and, signed by it, a certificate for the names of each part', async () => {
  await makeCertificates(folder);
  const authority = read(authorityFile(folder));
  expect(authority.ca).toBe(true);
  for (const part of provenParts) {
    const { certificate, key } = certificateOf(folder, part);
    const proof = read(certificate);
    expect(proof.verify(authority.publicKey)).toBe(true);
    expect([proof.checkHost(part), proof.checkHost('localhost'), proof.checkIP('127.0.0.1')]).not.toContain(
      undefined,
    );
    expect(proof.checkPrivateKey(createPrivateKey(readFileSync(key)))).toBe(true);
    expect(statSync(key).mode & 0o077).toBe(0);
  }
});

it('keeps what is good for a while yet', async () => {
  const before = readFileSync(authorityFile(folder), 'utf8');
  await makeCertificates(folder);
  expect(readFileSync(authorityFile(folder), 'utf8')).toBe(before);
});

it('makes all of them again when one is missing', async () => {
  const before = readFileSync(authorityFile(folder), 'utf8');
  rmSync(certificateOf(folder, 'nats').key);
  await makeCertificates(folder);
  expect(readFileSync(authorityFile(folder), 'utf8')).not.toBe(before);
});

it('is asked for by STOA_TLS, in one word', () => {
  expect([wantsTls({}), wantsTls({ STOA_TLS: 'off' }), wantsTls({ STOA_TLS: 'on' })]).toEqual([
    false,
    false,
    true,
  ]);
  expect(() => wantsTls({ STOA_TLS: 'yes' })).toThrow('say "on" or "off"');
});
