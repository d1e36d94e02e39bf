import { readFile } from 'node:fs/promises';
import { inRepository } from '../paths.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { buckets as bucketNames, storageKeys } from '../settings/names.ts';
import { type Keys, signedRequests } from './s3-client.ts';

type Request = ReturnType<typeof signedRequests>;

/**
 * Creates the three buckets with their rules, and the access keys of the media service. The buckets' policies
 * contain the rights of each key. There is no lifecycle rule; media's sweeper empties staging.
 */
export async function provisionVersitygw({
  endpoint,
  root,
  keys,
  buckets,
}: PartsDescription['minio']): Promise<void> {
  const request = signedRequests(endpoint, root);
  for (const bucket of Object.values(buckets))
    await request('PUT', `/${bucket}`, '', ['BucketAlreadyOwnedByYou']);
  for (const name of storageKeys) await provisionUser(request, keys[name]);
  for (const bucket of Object.keys(bucketNames) as (keyof typeof bucketNames)[]) {
    const policy = await readFile(inRepository('deploy/versitygw', `${bucket}-policy.json`), 'utf8');
    await request('PUT', `/${buckets[bucket]}?policy`, withPrincipals(policy, keys));
  }
}

async function provisionUser(request: Request, { accessKey, secretKey }: Keys): Promise<void> {
  const account = `<Account><Access>${accessKey}</Access><Secret>${secretKey}</Secret><Role>user</Role></Account>`;
  const made = await request('PATCH', '/create-user', account, ['XAdminUserExists']);
  if (made.ok) return;
  const changes = `<MutableProps><Secret>${secretKey}</Secret><Role>user</Role></MutableProps>`;
  await request('PATCH', `/update-user?access=${accessKey}`, changes);
}

/** Replaces the names of keys in a policy by their access keys. */
function withPrincipals(policy: string, keys: PartsDescription['minio']['keys']): string {
  return storageKeys.reduce(
    (text, name) => text.replaceAll(`"AWS": ["${name}"]`, `"AWS": ["${keys[name].accessKey}"]`),
    policy,
  );
}
