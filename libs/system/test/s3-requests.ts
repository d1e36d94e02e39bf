import { AwsClient } from 'aws4fetch';
import { createHmac } from 'node:crypto';
import type { Keys } from '../src/provision/s3-client.ts';

const region = 'us-east-1';

export interface S3Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

/** Sends a request that a key signs, in the header or as a link. Without a key it is not signed. */
export async function ask(
  endpoint: string,
  key: Keys | null,
  { method, path, body, headers = {} }: S3Request,
  asLink = false,
): Promise<number> {
  const request = { method, headers, ...(body !== undefined && { body }) };
  if (!key) return drained(await fetch(`${endpoint}${path}`, request));
  const client = new AwsClient({
    accessKeyId: key.accessKey,
    secretAccessKey: key.secretKey,
    service: 's3',
    region,
  });
  const signed = await client.sign(`${endpoint}${path}`, { ...request, aws: { signQuery: asLink } });
  return drained(await fetch(signed));
}

/** Posts a form that the key signs, as browsers do. */
export async function postForm(endpoint: string, key: Keys, bucket: string, name: string): Promise<number> {
  const now = new Date();
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = [at.slice(0, 8), region, 's3', 'aws4_request'];
  const fields = {
    key: name,
    bucket,
    'Content-Type': 'text/plain',
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [key.accessKey, ...scope].join('/'),
    'x-amz-date': at,
  };
  const conditions = Object.entries(fields).map(([field, value]) => ['eq', `$${field}`, value]);
  const expiration = new Date(now.getTime() + 60_000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  const sign = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest();
  const signing = scope.reduce<string | Buffer>(sign, `AWS4${key.secretKey}`);
  const form = new FormData();
  const signature = sign(signing, policy).toString('hex');
  for (const [field, value] of Object.entries({ ...fields, policy, 'x-amz-signature': signature }))
    form.append(field, value);
  form.append('file', new Blob(['posted']), name);
  return drained(await fetch(`${endpoint}/${bucket}`, { method: 'POST', body: form }));
}

async function drained(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}
