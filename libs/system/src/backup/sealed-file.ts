import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A key pair: the recipient encrypts, and only the identity decrypts. */
export async function newKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** `content` so that only the holder of the recipient's identity reads it (age, age-encryption.org). */
export async function seal(content: Readable, recipient: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const sealed = await encrypter.encrypt(Readable.toWeb(content) as globalThis.ReadableStream<Uint8Array>);
  return Readable.fromWeb(sealed as ReadableStream);
}

/** @throws Error where the identity is another one, or the content was changed. */
export async function unseal(sealed: Readable, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const content = Readable.toWeb(sealed) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb((await decrypter.decrypt(content)) as ReadableStream);
}
