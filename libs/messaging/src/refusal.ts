import { type FieldError, type ProblemCode } from '@stoa/contracts';
import type { z } from 'zod';

/** A reason not to do what was asked. It crosses NATS and reaches HTTP as the status of its code. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly fields: FieldError[];
  /** Seconds after which asking again may help, where that is known; 1 for what is unavailable or late. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, message: string, fields: FieldError[] = [], retryAfter?: number) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter ?? (['unavailable', 'timeout'].includes(code) ? 1 : undefined);
  }
}

/** The refusal of somebody who has had their share for now; over HTTP it carries `Retry-After`. */
export function rateLimited(message: string, retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', message, [], Math.max(1, Math.ceil(retryAfterSeconds)));
}

/**
 * The refusal of moving links for payments without a fresh log-in. It stands at the fields, too: a page of the release
 * before shows it there.
 */
export function freshLoginRequired(paths: readonly string[]): Refusal {
  const message = 'Log in again to change where payments go.';
  return new Refusal(
    'fresh_login_required',
    message,
    paths.map((field) => ({ field, message })),
  );
}

interface Issue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly message: string;
}

/** Turns the issues of a schema into a refusal that names each field once, by its first complaint. */
export function invalidInput(issues: readonly Issue[]): Refusal {
  const fields = new Map<string, string>();
  for (const { path = [], message } of issues) {
    const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    if (!fields.has(field)) fields.set(field, message);
  }
  return new Refusal(
    'invalid_input',
    'Some fields are not valid.',
    [...fields].map(([field, message]) => ({ field, message })),
  );
}

/** Parses `value`, or throws the refusal that lists what is wrong with it. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidInput(parsed.error.issues);
  return parsed.data;
}
