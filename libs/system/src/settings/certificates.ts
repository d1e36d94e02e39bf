import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  type Extension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { Problem } from '../problem.ts';

/** Processes with a server certificate. The names are also their host names in containers. */
export const partsWithCertificate = ['postgres', 'nats', 'minio', 'keycloak', 'gateway', 'edge'] as const;
export type PartWithCertificate = (typeof partsWithCertificate)[number];

/** Whether the parts use TLS: if STOA_TLS is on. */
export function wantsTls({ STOA_TLS: wanted = 'off' }: NodeJS.ProcessEnv = process.env): boolean {
  if (['on', 'off', ''].includes(wanted)) return wanted === 'on';
  throw new Problem(`STOA_TLS is "${wanted}": say "on" or "off", or leave it out.`);
}

export const authorityFile = (folder: string): string => join(folder, 'ca.crt');

/** The paths of a part's certificate and key, named as in a Secret of Kubernetes. */
export const certificateOf = (folder: string, part: PartWithCertificate) => ({
  certificate: join(folder, part, 'tls.crt'),
  key: join(folder, part, 'tls.key'),
});

/** Settings that make a Node process trust the authority in this folder, and no public one. */
export const trustOnlyAuthority = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: '--use-openssl-ca',
  SSL_CERT_FILE: authorityFile(folder),
  // OpenSSL would also read the machine's directory of authorities; in this folder no file has a name that it
  // reads.
  SSL_CERT_DIR: folder,
});

/** Makes this process trust that authority too. */
export function trustAuthority(folder: string): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authorityFile(folder), 'utf8')]);
}

const dayMs = 86_400_000;
const days = 90;

/**
 * Creates an authority and a certificate for each part. Renews all when a third of their lifetime is left.
 * Returns the folder.
 */
export async function makeCertificates(folder: string): Promise<string> {
  const file = authorityFile(folder);
  const whole = [file, ...partsWithCertificate.flatMap((part) => Object.values(certificateOf(folder, part)))];
  if (whole.every((path) => existsSync(path)) && daysLeft(file) > days / 3) return folder;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pair = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const term = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + days * dayMs) };
  // The private key is not stored, so nothing else can be signed with it.
  const authority = await pair();
  const issuer = `CN=Stoa ${crypto.randomUUID()}`;
  const own: Extension[] = [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
  ];
  const root = { name: issuer, keys: authority, extensions: own, signingAlgorithm: algorithm, ...term };
  for (const part of partsWithCertificate) {
    const { publicKey, privateKey } = await pair();
    const names = new SubjectAlternativeNameExtension([
      { type: 'dns', value: part },
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
    ]);
    const extensions = [names, new ExtendedKeyUsageExtension(usesOf(part))];
    const issued = await X509CertificateGenerator.create({
      subject: `CN=${part}`,
      issuer,
      publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: algorithm,
      extensions,
      ...term,
    });
    const { certificate, key } = certificateOf(folder, part);
    write(certificate, issued.toString('pem'));
    write(key, KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }), 0o600);
  }
  // Writes the authority's certificate last, so that an interrupted renewal does not count as complete.
  write(file, (await X509CertificateGenerator.createSelfSigned(root)).toString('pem'));
  return folder;
}

/** The servers of a NATS cluster are also clients of each other. */
const usesOf = (part: PartWithCertificate) =>
  part === 'nats'
    ? [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]
    : [ExtendedKeyUsage.serverAuth];

const daysLeft = (file: string) =>
  (new X509Certificate(readFileSync(file)).validToDate.getTime() - Date.now()) / dayMs;

function write(file: string, text: string | Buffer, mode = 0o644): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode });
}
