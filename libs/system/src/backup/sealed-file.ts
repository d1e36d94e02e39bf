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
import type { ReadableStream } from 'node:stream/web';
import { Problem } from '../problem.ts';

/** What the installation needs to write backups: it cannot read them. */
export interface SealingKeys {
  /** `age1…` of those who may read. */
  readonly recipient: string;
  /** The private half of an Ed25519 key, PKCS 8 in base64url. */
  readonly signing: string;
}

/** What a restore needs: it cannot write backups that another restore accepts. */
export interface OpeningKeys {
  /** `AGE-SECRET-KEY-1…` of the recipient. */
  readonly identity: string;
  /** The public half of the signing key, SPKI in base64url. */
  readonly verification: string;
}

/** Bytes of an Ed25519 signature (RFC 8032). */
const signatureBytes = 64;

/** Two new pairs: one to encrypt and decrypt (age), one to sign and verify (Ed25519). */
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

/** What is signed of a file: its place in the backup too, so that no other file can stand in for it. */
const statement = (path: string, digest: Buffer) =>
  Buffer.concat([Buffer.from(`stoa-backup-1\0${path}\0`), digest]);

/**
 * `content` encrypted with age (age-encryption.org), with a signature of `path` and content as its last 64 bytes.
 *
 * @throws Problem where the signing key is none.
 */
export async function seal(
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
 * The content of a sealed file. It fails at its end where somebody without the signing key wrote the file, or it is of
 * another path: what is done with it must not count before that.
 *
 * @throws Error where the identity is another one, or the file was changed; Problem where the verification key is none.
 */
export async function unseal(
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

function keyOf<Key>(variable: string, read: () => Key): Key {
  try {
    return read();
  } catch {
    throw new Problem(`${variable} holds no key: "npm run -s stoa backup-key" makes one.`);
  }
}
