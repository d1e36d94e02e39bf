import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** A key pair: the recipient encrypts, and only the identity decrypts. */
export async function newKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Writes `content` so that only the holder of the recipient's identity reads it (age, age-encryption.org). */
export async function seal(file: string, content: Readable, recipient: string): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const sealed = await encrypter.encrypt(Readable.toWeb(content) as globalThis.ReadableStream<Uint8Array>);
  // Under its own name once it is whole.
  const part = `${file}.part`;
  const written = createWriteStream(part, { mode: 0o600, flush: true });
  await pipeline(Readable.fromWeb(sealed as ReadableStream), written);
  await rename(part, file);
}

/** @throws Error where the identity is another one, or the file was changed. */
export async function unseal(file: string, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const sealed = Readable.toWeb(createReadStream(file)) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb((await decrypter.decrypt(sealed)) as ReadableStream);
}
