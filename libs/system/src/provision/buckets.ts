import { readFile } from 'node:fs/promises';
import { inRepository } from '../paths.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { storageKeys } from '../settings/names.ts';
import { provisionUser } from './minio-admin.ts';
import { signedRequests } from './s3-client.ts';
import { provisionVersitygw } from './versitygw.ts';

const definition = (name: string) => readFile(inRepository('deploy/minio', name), 'utf8');

/** Creates the three buckets with their rules, and the access keys of the media service. */
export function provisionStorage(storage: PartsDescription['minio']): Promise<void> {
  return storage.store === 'versitygw' ? provisionVersitygw(storage) : provisionMinio(storage);
}

async function provisionMinio({ endpoint, root, keys, buckets }: PartsDescription['minio']): Promise<void> {
  const request = signedRequests(endpoint, root);
  for (const bucket of Object.values(buckets))
    await request('PUT', `/${bucket}`, '', ['BucketAlreadyOwnedByYou']);
  await request('PUT', `/${buckets.staging}?lifecycle`, await definition('staging-lifecycle.xml'));
  await request('PUT', `/${buckets.public}?policy`, await definition('public-policy.json'));
  // One after another: MinIO has lost keys that were created concurrently.
  for (const name of storageKeys) {
    const document = await definition(`media-${name}-policy.json`);
    await provisionUser(endpoint, root, keys[name], { name: `stoa-media-${name}`, document });
  }
}
