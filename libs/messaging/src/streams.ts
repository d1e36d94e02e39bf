import type { Msg, NatsConnection } from '@nats-io/transport-node';

export const eventStream = 'EVENTS';
/** The stream with copies of the password changes alone, for processes that may not read all events. */
export const passwordChangesStream = 'PASSWORD_CHANGES';
/** The stream with copies of the usernames of closed accounts, for processes that may not read all events. */
export const reservedUsernamesStream = 'RESERVED_USERNAMES';
/** Values that the replicas of an app agree on for a day. */
export const agreementsStream = 'AGREEMENTS';
/** Files that the replicas of an app share across releases. */
export const assetsStream = 'ASSETS';

/** The API of the account that owns the streams, as other accounts see it; deploy/nats/nats.conf grants its parts. */
export const streamsApi = { apiPrefix: '$JS.STREAMS.API' } as const;

/** The subject on which the server announces an event that `stream` has stored: libs/system/src/provision/declared-streams.ts. */
export const storedSubject = (stream: string, eventSubject: string): string =>
  eventSubject.replace(/^events\./, () => `stored.${stream}.`);

const answerMs = 2000;
/** The status codes with which JetStream ends an answer: no more messages, or none at all. */
const ends = [204, 404];

/** Where to start reading: a sequence number, or a time in ISO 8601. */
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
    // Uses a subscription of its own for this read: its end makes the server stop sending.
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
