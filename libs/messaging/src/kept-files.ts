import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { assetsStream, readStream, streamsApi } from './streams.ts';
import { toHeaders } from './wire.ts';

const timeout = 5000;
/** How the content is compressed. */
const encodingHeader = 'Stoa-Encoding';

/** A file of a release, as small as it was built: it never changes, since its name carries a hash. */
export interface KeptFile {
  readonly content: Uint8Array;
  readonly encoding: 'br' | 'identity';
}

/**
 * Keeps a file of `app` for replicas of other releases, for 30 days from the last day on which one that has it was there:
 * twice on a day is once. @throws Error while the stream is away, or for what is larger than it takes.
 */
export async function keepFile(
  connection: NatsConnection,
  { app, name }: { app: string; name: string },
  { content, encoding }: KeptFile,
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await jetstream(connection, streamsApi).publish(subjectOf(app, name), content, {
    msgID: `${name} ${today}`,
    headers: toHeaders({ [encodingHeader]: encoding }),
    timeout,
  });
}

/** The file of that name, of whichever release of `app`. @throws Error while the stream is away. */
export async function findKeptFile(
  connection: NatsConnection,
  { app, name }: { app: string; name: string },
): Promise<KeptFile | undefined> {
  const subject = subjectOf(app, name);
  const [found] = await readStream(connection, assetsStream, { from: { seq: 1 }, subject, batch: 1 });
  if (!found) return undefined;
  const encoding = found.headers?.get(encodingHeader) === 'br' ? 'br' : 'identity';
  return { content: found.data, encoding };
}

/** @throws Error for a name that would be several subjects, or none. */
function subjectOf(app: string, name: string): string {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new Error(`${name} is no name of a file that is kept.`);
  return `assets.${app}.${name}`;
}
