import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { assetsStream, readStream, streamsApi } from './streams.ts';
import { toHeaders } from './wire.ts';

const timeout = 5000;
const encodingHeader = 'Stoa-Encoding';

/** A file of a release, as compressed by the build. It never changes, because its name contains a hash. */
export interface StoredAsset {
  readonly content: Uint8Array;
  readonly encoding: 'br' | 'identity';
}

/**
 * Stores a file of `app` for replicas of other releases. It stays for 30 days after the last day on which a replica stores
 * it. Further calls on a day have no effect.
 * @throws Error while the stream is away, or for a file above the stream's message limit.
 */
export async function storeAsset(
  connection: NatsConnection,
  { app, name }: { app: string; name: string },
  { content, encoding }: StoredAsset,
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await jetstream(connection, streamsApi).publish(subjectOf(app, name), content, {
    msgID: `${name} ${today}`,
    headers: toHeaders({ [encodingHeader]: encoding }),
    timeout,
  });
}

/** The file of that name, from any release of `app`; undefined if there is none. @throws Error while the stream is away. */
export async function findAsset(
  connection: NatsConnection,
  { app, name }: { app: string; name: string },
): Promise<StoredAsset | undefined> {
  const subject = subjectOf(app, name);
  const [found] = await readStream(connection, assetsStream, { from: { seq: 1 }, subject, batch: 1 });
  if (!found) return undefined;
  const encoding = found.headers?.get(encodingHeader) === 'br' ? 'br' : 'identity';
  return { content: found.data, encoding };
}

/** @throws Error for a name that is no valid subject token sequence, or contains a wildcard. */
function subjectOf(app: string, name: string): string {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new Error(`${name} is no name of a stored file.`);
  return `assets.${app}.${name}`;
}
