import { readFile } from 'node:fs/promises';
import { inRepository } from '../paths.ts';
import { type PartsDescription } from '../settings/description.ts';
import { provisionAccessKey, signedRequests } from './minio-admin.ts';

const definition = (name: string) => readFile(inRepository('deploy/minio', name), 'utf8');

/** The three buckets with their rules, and the key of the media service. */
export async function provisionStorage({
  endpoint,
  root,
  media,
  buckets,
}: PartsDescription['minio']): Promise<void> {
  const request = signedRequests(endpoint, root);
  await Promise.all(
    Object.values(buckets).map((bucket) => request('PUT', `/${bucket}`, '', ['BucketAlreadyOwnedByYou'])),
  );
  const lifecycle = await definition('staging-lifecycle.xml');
  await Promise.all([
    request('PUT', `/${buckets.staging}?lifecycle`, lifecycle),
    request('PUT', `/${buckets.public}?policy`, await definition('public-policy.json')),
    provisionAccessKey(endpoint, root, media, JSON.parse(await definition('media-policy.json'))),
  ]);
}
