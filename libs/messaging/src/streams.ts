import type { Msg, NatsConnection } from '@nats-io/transport-node';

export const eventStream = 'EVENTS';
/** The changes of passwords alone, a copy for who may not read everything. */
export const passwordChangesStream = 'PASSWORD_CHANGES';
/** The usernames of closed accounts, a copy likewise. */
export const reservedUsernamesStream = 'RESERVED_USERNAMES';
/** What the replicas of a process agree upon for a while. */
export const agreementsStream = 'AGREEMENTS';
/** Files that the replicas of a process keep for each other, over its releases. */
export const assetsStream = 'ASSETS';

/** How the account that keeps the streams is spoken to from another: deploy/nats/nats.conf hands on what each may use. */
export const streamsApi = { apiPrefix: '$JS.STREAMS.API' } as const;

const answerMs = 2000;
/** HTTP's codes, as JetStream says that there is no more, and nothing at all. */
const ends = [204, 404];

/** Where to read on: `start_time` is ISO 8601. */
export type Position = { readonly seq: number } | { readonly start_time: string };

/** The next messages of `stream` on `subject`, oldest first, at most `batch`. @throws Error when the server is silent. */
export async function readStream(
  connection: NatsConnection,
  stream: string,
  { from, subject, batch }: { from: Position; subject: string; batch: number },
): Promise<Msg[]> {
  const answers = await connection.requestMany(
    `${streamsApi.apiPrefix}.DIRECT.GET.${stream}`,
    JSON.stringify({ ...from, next_by_subj: subject, batch }),
    // A subscription of its own, whose end tells the server that nobody waits for more.
    { strategy: 'sentinel', maxWait: answerMs, noMux: true },
  );
  const messages: Msg[] = [];
  for await (const answer of answers) {
    const code = answer.headers?.code ?? 0;
    if (ends.includes(code)) return messages;
    if (code !== 0) throw new Error(`${stream} cannot be read: ${answer.headers?.status}`);
    messages.push(answer);
  }
  throw new Error(`${stream} did not answer within ${answerMs} ms.`);
}
