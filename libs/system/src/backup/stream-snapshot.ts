import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { Readable } from 'node:stream';

/** The description that NATS needs to restore a snapshot. */
export interface StreamHead {
  readonly config: object;
  readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
}

const timeoutMs = 30_000;
const chunkBytes = 256 * 1024;

type Answer = Partial<StreamHead> & { deliver_subject?: string; error?: { description: string } };

/** Writes a stream as a snapshot of NATS, without its consumers. */
export async function snapshotStream(
  connection: NatsConnection,
  inboxPrefix: string,
  stream: string,
  write: (content: Readable) => Promise<void>,
): Promise<StreamHead> {
  const deliver = createInbox(inboxPrefix);
  const chunks = connection.subscribe(deliver);
  // A restarted NATS server would never continue the snapshot, so the snapshot fails after this time without
  // a chunk.
  const stalled = setTimeout(() => chunks.unsubscribe(), timeoutMs);
  try {
    const { config, state } = await requestApi(connection, `STREAM.SNAPSHOT.${stream}`, {
      deliver_subject: deliver,
      no_consumers: true,
      chunk_size: chunkBytes,
    });
    if (!config || !state) throw new Error(`NATS returned no description of ${stream}.`);
    async function* content() {
      for await (const chunk of chunks) {
        stalled.refresh();
        const code = chunk.headers?.code ?? 204;
        if (code >= 300) throw new Error(`The snapshot of ${stream} broke off: ${chunk.headers?.status}`);
        if (chunk.data.length === 0) return;
        yield chunk.data;
        chunk.respond();
      }
      throw new Error(`The snapshot of ${stream} broke off.`);
    }
    await write(Readable.from(content()));
    return { config, state };
  } finally {
    clearTimeout(stalled);
    chunks.unsubscribe();
  }
}

/** Replaces a stream by that of a snapshot, and deletes the events after `last`. */
export async function restoreStream(
  connection: NatsConnection,
  stream: string,
  { config, state }: StreamHead,
  { content, last }: { content: Readable; last: number },
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  await removeStream(manager, stream);
  const { deliver_subject: deliver } = await requestApi(connection, `STREAM.RESTORE.${stream}`, {
    config,
    state,
  });
  if (!deliver) throw new Error(`NATS refused to restore ${stream}.`);
  for await (const bytes of content as AsyncIterable<Buffer>)
    for (let from = 0; from < bytes.length; from += chunkBytes)
      await connection.request(deliver, bytes.subarray(from, from + chunkBytes), { timeout: timeoutMs });
  checked((await connection.request(deliver, '', { timeout: timeoutMs })).json());
  for (let seq = last + 1; seq <= state.last_seq; seq += 1) await manager.streams.deleteMessage(stream, seq);
}

export async function removeStream({ streams }: JetStreamManager, stream: string): Promise<void> {
  await streams.delete(stream).catch((error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
  });
}

async function requestApi(connection: NatsConnection, what: string, body: object): Promise<Answer> {
  const answer = await connection.request(`$JS.API.${what}`, JSON.stringify(body), { timeout: timeoutMs });
  return checked(answer.json());
}

function checked(answer: Answer): Answer {
  if (answer.error) throw new Error(`NATS refused the request: ${answer.error.description}`);
  return answer;
}
