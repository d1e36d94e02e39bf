import { testParts } from '@stoa/testing';
import { Client } from 'minio';
import { randomUUID } from 'node:crypto';
import { files } from '../proxies-under-test.ts';

const { endpoint, root, ...minio } = testParts().minio;
export const { buckets, keys } = minio;
export const region = 'us-east-1';
const at = (url: string, keys: typeof root) =>
  new Client({
    endPoint: new URL(url).hostname,
    port: Number(new URL(url).port),
    useSSL: false,
    region,
    ...keys,
  });
export const store = at(endpoint, root);
const forms = at(files, keys.uploads);
export const links = at(files, keys.links);
/** Replaces the public address in a signed link by the address of the proxy under test. */
export const throughProxy = (origin: () => string) => (signed: string) => signed.replace(files, origin());

/** Signs an upload form for a file of this size, as the media service does. */
export async function grantThrough(
  through: (signed: string) => string,
  size: number,
): Promise<{ url: string; form: FormData }> {
  const policy = forms.newPostPolicy();
  policy.setBucket(buckets.staging);
  policy.setKey(`edge/${randomUUID()}`);
  policy.setExpires(new Date(Date.now() + 60_000));
  policy.setContentLengthRange(1, size);
  const { postURL, formData } = await forms.presignedPostPolicy(policy);
  const form = new FormData();
  for (const [name, value] of Object.entries(formData)) form.append(name, String(value));
  form.append('file', new Blob([Buffer.alloc(size)]));
  return { url: through(postURL), form };
}
