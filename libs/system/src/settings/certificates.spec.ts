import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import {
  authorityFile,
  certificateOf,
  makeCertificates,
  partsWithCertificate,
  wantsTls,
} from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-certificates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (file: string) => new X509Certificate(readFileSync(file));

it('creates an authority, and a certificate signed by it for the host names of each part [system-1]', async () => {
  await makeCertificates(folder);
  const authority = read(authorityFile(folder));
  expect(authority.ca).toBe(true);
  for (const part of partsWithCertificate) {
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

it('keeps certificates until they expire soon', async () => {
  const before = readFileSync(authorityFile(folder), 'utf8');
  await makeCertificates(folder);
  expect(readFileSync(authorityFile(folder), 'utf8')).toBe(before);
});

it('recreates all certificates when one is missing', async () => {
  const before = readFileSync(authorityFile(folder), 'utf8');
  rmSync(certificateOf(folder, 'nats').key);
  await makeCertificates(folder);
  expect(readFileSync(authorityFile(folder), 'utf8')).not.toBe(before);
});

it('recreates all certificates after an interrupted renewal', async () => {
  const interrupted = join(folder, 'interrupted');
  const obstacle = certificateOf(interrupted, partsWithCertificate[partsWithCertificate.length - 1]!).key;
  mkdirSync(obstacle, { recursive: true });
  await expect(makeCertificates(interrupted)).rejects.toThrow('EISDIR');
  rmSync(obstacle, { recursive: true });
  writeFileSync(obstacle, 'of another time');
  await makeCertificates(interrupted);
  for (const part of partsWithCertificate) {
    const proof = read(certificateOf(interrupted, part).certificate);
    expect(proof.verify(read(authorityFile(interrupted)).publicKey)).toBe(true);
  }
  expect(readFileSync(obstacle, 'utf8')).toContain('PRIVATE KEY');
});

it('STOA_TLS is on or off, and any other value is rejected', () => {
  expect([wantsTls({}), wantsTls({ STOA_TLS: 'off' }), wantsTls({ STOA_TLS: 'on' })]).toEqual([
    false,
    false,
    true,
  ]);
  expect(() => wantsTls({ STOA_TLS: 'yes' })).toThrow('say "on" or "off"');
});
