import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';

/** A key pair of the object store. */
export interface Keys {
  accessKey: string;
  secretKey: string;
}

/** MinIO says that it is ready a moment before it takes buckets, and then 503: tries, each after twice the pause of the last. */
const retries = 8;

/** Sends signed requests to the object store and throws what it answers when that is no success. */
export function signedRequests(endpoint: string, { accessKey, secretKey }: Keys) {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region: 'us-east-1',
    retries,
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
      throw new Error(
        `the object store answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`,
      );
    return { ok: response.ok, text };
  };
}
