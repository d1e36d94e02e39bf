import { z } from 'zod';
import type { StoreOptions } from '../backup/bounded-client.ts';
import { Problem } from '../problem.ts';
import type { PartsDescription } from './parts-description.ts';

/**
 * The environment of the command `copy-objects`: the keys of both stores, which must not be in a command
 * line.
 */
export const CopyEnvironment = z.object({
  COPY_TO_ACCESS_KEY: z
    .string()
    .default('')
    .describe('A key that lists, reads, writes and deletes in the buckets of the store that `--to` names.'),
  COPY_TO_SECRET_KEY: z.string().default('').describe('Its secret.'),
  COPY_TO_REGION: z.string().default('us-east-1').describe('Its region.'),
  COPY_FROM_ACCESS_KEY: z
    .string()
    .default('')
    .describe(
      'A key that lists and reads in the store that `--from` names; without `--from` there is no need of one.',
    ),
  COPY_FROM_SECRET_KEY: z.string().default('').describe('Its secret.'),
  COPY_FROM_REGION: z.string().default('us-east-1').describe('Its region.'),
});

/**
 * The stores to copy between. By default the installation's own store is the source.
 *
 * @throws Problem if an address is invalid, a key is missing, or both stores are the same.
 */
export function copyStores(
  addresses: { from?: string | undefined; to: string },
  env: NodeJS.ProcessEnv,
  own: () => PartsDescription['minio'],
): Record<'from' | 'to', StoreOptions> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const settings = CopyEnvironment.parse(given);
  const named = (side: 'FROM' | 'TO', address: string): StoreOptions => {
    if (!/^https?:/.test(address) || !URL.canParse(address))
      throw new Problem(`${address} is no address of a store, such as https://s3.example.com.`);
    const [accessKey, secretKey] = [settings[`COPY_${side}_ACCESS_KEY`], settings[`COPY_${side}_SECRET_KEY`]];
    if (!accessKey || !secretKey)
      throw new Problem(`Set COPY_${side}_ACCESS_KEY and COPY_${side}_SECRET_KEY to a key of ${address}.`);
    return { endpoint: address, region: settings[`COPY_${side}_REGION`], accessKey, secretKey };
  };
  const to = named('TO', addresses.to);
  const from = addresses.from === undefined ? ownStore(own()) : named('FROM', addresses.from);
  if (new URL(from.endpoint).origin === new URL(to.endpoint).origin)
    throw new Problem(`Both stores are ${to.endpoint}: name another one to copy to.`);
  return { from, to };
}

const ownStore = ({ endpoint, root }: PartsDescription['minio']): StoreOptions => ({
  endpoint,
  region: 'us-east-1',
  ...root,
});
