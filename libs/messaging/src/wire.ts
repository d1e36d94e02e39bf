import { FieldError, ProblemCode, problemStatus } from '@stoa/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import { Refusal } from './refusal.ts';

export const header = {
  /** The signed-in user as JSON; absent for a visitor. The server accepts it only from accounts that may send it. */
  caller: 'Stoa-Caller',
  /**
   * Milliseconds for which the caller waits, counted from the arrival of the request, because the clocks of
   * two machines differ.
   */
  budget: 'Stoa-Budget',
  /** Milliseconds since 1970 after which no write begins: see `RequestServer`. */
  deadline: 'Stoa-Deadline',
  /** Marks a read that must include every earlier write: see `withCurrentReads`. */
  current: 'Stoa-Current',
  /** The idempotency key of a write, the same for each repeat by its client. */
  key: 'Stoa-Idempotency-Key',
  /** Marks the second try of a read, so that counts of requests can exclude it. */
  retry: 'Stoa-Retry',
  refusal: 'Stoa-Refusal',
  /** Marks a refusal of a request that was not begun. */
  notBegun: 'Stoa-Not-Begun',
} as const;

const WireRefusal = z.object({
  /** A newer release may send a code that this release does not know. */
  code: z.string(),
  status: z.int().optional(),
  message: z.string(),
  fields: z.array(FieldError),
  retryAfter: z.int().positive().optional(),
});

export function toHeaders(carrier: Record<string, string>): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(carrier)) result.set(name, value);
  return result;
}

/** A plain object of headers, in lower case as the trace propagator reads them. */
export function fromHeaders(from: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries((from?.keys() ?? []).map((name) => [name.toLowerCase(), from?.get(name) ?? '']));
}

/**
 * Answers with `{code, status, message, fields, retryAfter?}` as JSON and the code in a header, which `readAnswer`
 * throws again. `isBegun` is false for a request that was not begun, which may be sent again.
 */
export function respondWithRefusal(
  message: Msg,
  { code, message: text, fields, retryAfter }: Refusal,
  isBegun = true,
): void {
  const status = problemStatus[code];
  message.respond(JSON.stringify({ code, status, message: text, fields, retryAfter }), {
    headers: toHeaders({ [header.refusal]: code, ...(!isBegun && { [header.notBegun]: '1' }) }),
  });
}

/** Whether a busy replica refused the request before beginning it. */
export const wasNotBegun = (answer: Msg): boolean => answer.headers?.has(header.notBegun) === true;

/** The JSON of an answer. @throws Refusal that it carries. */
export function readAnswer(answer: Msg): unknown {
  if (!answer.headers?.has(header.refusal)) return answer.json();
  const { code, status, message, fields, retryAfter } = WireRefusal.parse(answer.json());
  throw new Refusal(knownCode(code, status), message, fields, retryAfter);
}

/**
 * The known code for one of a newer release: a code of the same status, else `invalid_input` for a 4xx status, else
 * `unavailable`.
 */
function knownCode(code: string, status = 503): ProblemCode {
  const known = ProblemCode.safeParse(code);
  if (known.success) return known.data;
  const alike = ProblemCode.options.find((option) => problemStatus[option] === status);
  return alike ?? (status >= 400 && status < 500 ? 'invalid_input' : 'unavailable');
}
