import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';

/** A key pair of MinIO. */
export interface Keys {
  accessKey: string;
  secretKey: string;
}

/** Sends signed requests to MinIO as its root user and throws what it answers when that is no success. */
export function signedRequests(endpoint: string, { accessKey, secretKey }: Keys) {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region: 'us-east-1',
    retries: 3,
  });
  return async (
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> = '',
    accepted: string[] = [],
  ) => {
    const headers = {
      'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex'),
      // Asked for by requests that change a bucket's rules.
      'Content-MD5': createHash('md5').update(body).digest('base64'),
    };
    const response = await client.fetch(`${endpoint}${path}`, {
      method,
      headers,
      ...(body.length > 0 && { body }),
    });
    const text = await response.text();
    const code = /<Code>(\w+)<|"Code":"(\w+)"/.exec(text);
    const fine = response.ok || accepted.includes(code?.[1] ?? code?.[2] ?? '');
    if (!fine)
      throw new Error(`MinIO answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`);
    return { ok: response.ok, text };
  };
}

/**
 * Gives the media service a key of its own that can do what the policy says and nothing else. MinIO's admin
 * API wants its bodies encrypted with the caller's secret key; this spares a build of its command-line client.
 */
export async function provisionAccessKey(
  endpoint: string,
  root: Keys,
  keys: Keys,
  policy: unknown,
): Promise<void> {
  const request = signedRequests(endpoint, root);
  const encrypt = (body: object) => encryptForAdmin(root.secretKey, JSON.stringify(body));
  const known = await request('GET', `/minio/admin/v3/info-service-account?accessKey=${keys.accessKey}`, '', [
    'XMinioInvalidIAMCredentials',
    'XMinioAdminServiceAccountNotFound',
  ]);
  if (known.ok) {
    const changes = { newSecretKey: keys.secretKey, newPolicy: policy };
    await request(
      'POST',
      `/minio/admin/v3/update-service-account?accessKey=${keys.accessKey}`,
      encrypt(changes),
    );
  } else {
    const { accessKey, secretKey } = keys;
    await request(
      'PUT',
      '/minio/admin/v3/add-service-account',
      encrypt({ accessKey, secretKey, policy, name: 'media' }),
    );
  }
}

/**
 * The format of MinIO's admin API: salt, cipher (2: AES-256-GCM with a PBKDF2 key), nonce, then sealed chunks.
 * Bodies are far smaller than a chunk, so the first one is the last one.
 */
function encryptForAdmin(password: string, text: string): Uint8Array<ArrayBuffer> {
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
  // Chunk 0 authenticates the (empty) associated data; its tag is part of what every chunk authenticates.
  const tag = seal(0, Buffer.alloc(0), '');
  const last = Buffer.concat([Buffer.of(0x80), tag]);
  return new Uint8Array(Buffer.concat([salt, Buffer.of(2), prefix, seal(1, last, text)]));
}
