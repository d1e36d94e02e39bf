import { FieldError, ProblemCode, problemStatus, type Request } from '@stoa/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import { writeDocuments } from './documents.ts';
import { Refusal } from './refusal.ts';

/** Who asks, what and until when, as a compact JWS: see `RequestSigner`. */
export const signedHeader = 'Stoa-Signed-Request';

export const header = {
  signed: signedHeader,
  /** Milliseconds for which somebody waits for the answer, from now: the clocks of two machines differ. */
  budget: 'Stoa-Budget',
  /** Of a read that has to hold everything that was written before: see `withCurrentReads`. */
  current: 'Stoa-Current',
  /** What the caller calls a request and all of its tries, when it asks who has it in hand. */
  id: 'Stoa-Request-Id',
  /** Of the second try of a request whose answer is late, so that who counts requests can tell them apart. */
  resend: 'Stoa-Resend',
  /** Milliseconds since 1970 after which nobody waits: what the release before sends and reads. */
  deadline: 'Stoa-Deadline',
  /** What the asker's clock said as it was sent: see `RequestAges`. */
  sent: 'Stoa-Sent',
  refusal: 'Stoa-Refusal',
  /** Of a refusal that another try may not meet: an `AskAgain`. */
  again: 'Stoa-Ask-Again',
} as const;

/**
 * `outage`: what is behind the service was away, and it may have been done; `late`: it lay too long on its way, and was not;
 * `busy`: there was no place for it, and it was not.
 */
export const AskAgain = z.enum(['outage', 'late', 'busy']);
export type AskAgain = z.infer<typeof AskAgain>;

const WireRefusal = z.object({
  /** Of a newer release it may be one that is not known here. */
  code: z.string(),
  /** What the code is over HTTP. */
  status: z.int().optional(),
  message: z.string(),
  fields: z.array(FieldError),
  retryAfter: z.int().positive().optional(),
});

/** Message headers from plain ones. */
export function toHeaders(carrier: Record<string, string>): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(carrier)) result.set(name, value);
  return result;
}

/** Plain headers, lower-cased as the trace propagator looks them up. */
export function fromHeaders(from: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries((from?.keys() ?? []).map((name) => [name.toLowerCase(), from?.get(name) ?? '']));
}

/** Answers a request with `output` as JSON. @throws TypeError for what JSON cannot hold, such as a BigInt. */
export function respondWith(message: Msg, request: Request, output: unknown): void {
  const { labels } = request;
  if (!labels) return void message.respond(JSON.stringify(output));
  const { body, headers: told } = writeDocuments(request, labels, output);
  message.respond(body, { headers: told });
}

/**
 * Answers with `{code, status, message, fields, retryAfter?}` as JSON and the code in a header, which `readAnswer` throws again;
 * `again` where another try may be answered otherwise.
 */
export function respondWithRefusal(
  message: Msg,
  { code, message: text, fields, retryAfter }: Refusal,
  again?: AskAgain,
): void {
  const status = problemStatus[code];
  message.respond(JSON.stringify({ code, status, message: text, fields, retryAfter }), {
    headers: toHeaders({ [header.refusal]: code, ...(again && { [header.again]: again }) }),
  });
}

/** Why an answer may be asked for again; undefined for all others. */
export function askAgainOf(answer: Msg): AskAgain | undefined {
  return AskAgain.safeParse(answer.headers?.get(header.again)).data;
}

/** The JSON of an answer. @throws the refusal that it carries. */
export function readAnswer(answer: Msg): unknown {
  throwRefusal(answer);
  return answer.json();
}

/** @throws the refusal that an answer carries, if it is one. */
export function throwRefusal(answer: Msg): void {
  if (!answer.headers?.has(header.refusal)) return;
  const { code, status, message, fields, retryAfter } = WireRefusal.parse(answer.json());
  throw new Refusal(knownCode(code, status), message, fields, retryAfter);
}

/**
 * What a code means that only a newer release knows: the code with its status, `invalid_input` for other statuses of
 * refusals, and `unavailable` where nothing is known of it.
 */
function knownCode(code: string, status = 503): ProblemCode {
  const known = ProblemCode.safeParse(code);
  if (known.success) return known.data;
  const alike = ProblemCode.options.find((option) => problemStatus[option] === status);
  return alike ?? (status >= 400 && status < 500 ? 'invalid_input' : 'unavailable');
}
