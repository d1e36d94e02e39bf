import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';

/** An access key of the object store with its secret. */
export interface Keys {
  accessKey: string;
  secretKey: string;
}

/**
 * Retries with backoff: MinIO reports that it is ready slightly before it accepts buckets, and answers 503
 * until then.
 */
const retries = 8;

/**
 * Returns a function that sends a signed request to the object store. It throws the answer of a failed
 * request.
 */
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
      // Required for requests that change a bucket's rules.
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
