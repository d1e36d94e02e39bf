import { type FieldError, type ProblemCode } from '@stoa/contracts';
import type { z } from 'zod';

/** A reason to refuse a request. It crosses NATS and becomes the HTTP status of its code. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly fields: FieldError[];
  /** Seconds after which a retry may succeed, if known; 1 for `unavailable` and `timeout`. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, message: string, fields: FieldError[] = [], retryAfter?: number) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter ?? (['unavailable', 'timeout'].includes(code) ? 1 : undefined);
  }
}

/** The refusal of a caller that has used its share; over HTTP it carries `Retry-After`. */
export function rateLimited(message: string, retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', message, [], Math.max(1, Math.ceil(retryAfterSeconds)));
}

/**
 * The refusal to change payment links without a recent log-in. It also names the fields, because a page of the
 * previous release shows it there.
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

/** Turns the issues of a schema into a refusal that lists each field once, with its first issue. */
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

/** Parses `value`. @throws Refusal with all invalid fields. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidInput(parsed.error.issues);
  return parsed.data;
}
