import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Keys, signedRequests } from './s3-client.ts';

/**
 * Creates a user with exactly the rights of a policy. It creates users instead of access keys of the root
 * user, because such keys have been able to gain its rights (GHSA-jjjj-jwhf-8rgr). MinIO's admin API requires
 * bodies encrypted with the caller's secret key; doing that here avoids building its command-line client.
 */
export async function provisionUser(
  endpoint: string,
  root: Keys,
  keys: Keys,
  policy: { name: string; document: string },
): Promise<void> {
  const request = signedRequests(endpoint, root);
  const { accessKey, secretKey } = keys;
  const user = encryptForAdmin(root.secretKey, JSON.stringify({ secretKey, status: 'enabled' }));
  const attached = new URLSearchParams({ policyName: policy.name, userOrGroup: accessKey, isGroup: 'false' });
  await request('PUT', `/minio/admin/v3/add-canned-policy?name=${policy.name}`, policy.document);
  await request('PUT', `/minio/admin/v3/add-user?accessKey=${accessKey}`, user);
  await request('PUT', `/minio/admin/v3/set-user-or-group-policy?${attached}`);
}

/**
 * The format of MinIO's admin API: salt, cipher (2: AES-256-GCM with a PBKDF2 key), nonce, encrypted chunks.
 * Bodies are far smaller than a chunk, so the first chunk is the last.
 */
export function encryptForAdmin(password: string, text: string): Uint8Array<ArrayBuffer> {
  const salt = randomBytes(32);
  const key = pbkdf2Sync(password, salt, 8192, 32, 'sha256');
  const prefix = randomBytes(8);
  const seal = (chunk: number, associated: Buffer, data: string) => {
    const nonce = Buffer.alloc(12);
    prefix.copy(nonce);
    nonce.writeUInt32LE(chunk, 8);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated);
    return Buffer.concat([cipher.update(data, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  };
  // Chunk 0 authenticates the associated data, which is empty. Its tag is part of the associated data of
  // every chunk.
  const tag = seal(0, Buffer.alloc(0), '');
  const last = Buffer.concat([Buffer.of(0x80), tag]);
  return new Uint8Array(Buffer.concat([salt, Buffer.of(2), prefix, seal(1, last, text)]));
}
