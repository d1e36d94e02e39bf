import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Problem } from '../problem.ts';

/** The keys for writing backups; they cannot read them. */
export interface SealingKeys {
  /** `age1…`, the public key of the people who may read. */
  readonly recipient: string;
  /** The private half of an Ed25519 key, in PKCS 8 and base64url. */
  readonly signing: string;
}

/** The keys for a restore; they cannot write backups that a restore accepts. */
export interface OpeningKeys {
  /** `AGE-SECRET-KEY-1…`, the private key of the recipient. */
  readonly identity: string;
  /** The public half of the signing key, in SPKI and base64url. */
  readonly verification: string;
}

/** Length of an Ed25519 signature (RFC 8032). */
const signatureBytes = 64;

/** Creates two key pairs: one to encrypt and decrypt (age), one to sign and verify (Ed25519). */
export async function newKeys(): Promise<{ sealing: SealingKeys; opening: OpeningKeys }> {
  const identity = await generateIdentity();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signing = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  const verification = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  return {
    sealing: { recipient: await identityToRecipient(identity), signing },
    opening: { identity, verification },
  };
}

/**
 * The signed statement of a file. It includes the path in the backup, so that no file can replace another.
 */
const statement = (path: string, digest: Buffer) =>
  Buffer.concat([Buffer.from(`stoa-backup-1\0${path}\0`), digest]);

/**
 * Encrypts `content` with age (age-encryption.org) and appends a signature of `path` and content as the last
 * 64 bytes.
 *
 * @throws Problem if the signing key is invalid.
 */
export async function encryptAndSign(
  content: Readable,
  path: string,
  { recipient, signing }: SealingKeys,
): Promise<Readable> {
  const key = keyOf('BACKUP_SIGNING_KEY', () =>
    createPrivateKey({ key: Buffer.from(signing, 'base64url'), format: 'der', type: 'pkcs8' }),
  );
  async function* signed() {
    const hash = createHash('sha256');
    for await (const chunk of content as AsyncIterable<Buffer | string>) {
      const bytes = Buffer.from(chunk as string);
      hash.update(bytes);
      yield bytes;
    }
    yield sign(null, statement(path, hash.digest()), key);
  }
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const plain = Readable.toWeb(Readable.from(signed())) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb((await encrypter.encrypt(plain)) as ReadableStream);
}

/**
 * Decrypts a sealed file. The stream fails at its end if the signature is wrong or belongs to another path,
 * so its content must not take effect before the end.
 *
 * @throws Error if the identity is wrong or the file was changed; Problem if the verification key is invalid.
 */
export async function decryptAndVerify(
  sealed: Readable,
  path: string,
  { identity, verification }: OpeningKeys,
): Promise<Readable> {
  const key = keyOf('BACKUP_VERIFICATION_KEY', () =>
    createPublicKey({ key: Buffer.from(verification, 'base64url'), format: 'der', type: 'spki' }),
  );
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(Readable.toWeb(sealed) as globalThis.ReadableStream<Uint8Array>);
  async function* verified() {
    const hash = createHash('sha256');
    let held = Buffer.alloc(0);
    for await (const chunk of Readable.fromWeb(plain as ReadableStream) as AsyncIterable<Uint8Array>) {
      held = Buffer.concat([held, chunk]);
      const ready = held.subarray(0, Math.max(0, held.length - signatureBytes));
      if (ready.length === 0) continue;
      hash.update(ready);
      held = held.subarray(ready.length);
      yield ready;
    }
    if (!verify(null, statement(path, hash.digest()), key, held))
      throw new Problem(`The signature of ${path} is wrong: another installation or an intruder wrote it.`);
  }
  return Readable.from(verified(), { objectMode: false });
}

/** Reads a decrypted file to its end, where its signature is verified. */
export async function readToEnd(content: Readable): Promise<void> {
  content.resume();
  await finished(content);
}

function keyOf<Key>(variable: string, read: () => Key): Key {
  try {
    return read();
  } catch {
    throw new Problem(`${variable} holds no key: "npm run -s stoa backup-key" makes one.`);
  }
}
