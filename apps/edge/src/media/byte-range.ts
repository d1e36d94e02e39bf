import type { IncomingHttpHeaders } from 'node:http';

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;
/** Beyond the end of every object. Stores cannot parse longer numbers. */
const beyond = 10 ** 15;

/**
 * The requested range in a form that every store parses alike. Undefined for other units, malformed ranges and several ranges,
 * which a server may ignore (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined): string | undefined {
  const [, set = ''] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  const [range = '', ...others] = set.split(/[ \t]*,[ \t]*/).filter((one) => one !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (others.length > 0 || first + last === '') return undefined;
  const [from, to] = [first, last].map((digits) => Math.min(Number(digits), beyond));
  // A suffix of zero bytes cannot be satisfied.
  if (first === '') return to === 0 ? `bytes=${beyond}-` : `bytes=-${to}`;
  if (last === '') return `bytes=${from}-`;
  return BigInt(last) < BigInt(first) ? undefined : `bytes=${from}-${to}`;
}

/**
 * The headers that request a range from a store without support for `If-Range`. They make the range conditional, and the store
 * answers 412 when the object has changed. Undefined requests the whole object, also where the condition cannot hold (RFC
 * 9110, 13.1.5: a weak tag never matches).
 */
export function rangeHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const range = byteRange(headers.range);
  const validator = headers['if-range'];
  if (range === undefined) return undefined;
  if (validator === undefined) return { range };
  // Browsers never combine these conditions, and the whole object is a valid answer.
  if (typeof validator !== 'string' || conditions.some((name) => headers[name] !== undefined))
    return undefined;
  if (/^"[^"]*"$/.test(validator)) return { range, 'if-match': validator };
  // A store ignores a date that it cannot parse, and would send the range unconditionally.
  return isHttpDate(validator) ? { range, 'if-unmodified-since': validator } : undefined;
}

/** The date format that stores write (RFC 9110, 5.6.7). */
const isHttpDate = (text: string) => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toUTCString() === text;
};
