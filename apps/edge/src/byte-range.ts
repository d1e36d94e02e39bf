import type { IncomingHttpHeaders } from 'node:http';

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;
/** Behind the end of every object: stores cannot read numbers of any length. */
const beyond = 10 ** 15;

/**
 * The part that a request asks for, spelt as every store reads it; undefined where the whole object is right: for another
 * unit, for what is no range and for several ranges, which a server may pass over (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined): string | undefined {
  const [, set = ''] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  const [range = '', ...others] = set.split(/[ \t]*,[ \t]*/).filter((one) => one !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (others.length > 0 || first + last === '') return undefined;
  const [from, to] = [first, last].map((digits) => Math.min(Number(digits), beyond));
  // The last nothing of an object is no part of it.
  if (first === '') return to === 0 ? `bytes=${beyond}-` : `bytes=-${to}`;
  if (last === '') return `bytes=${from}-`;
  return BigInt(last) < BigInt(first) ? undefined : `bytes=${from}-${to}`;
}

/**
 * The headers by which a request asks for part of an object, for a store that does not know `If-Range`: the part on the
 * condition that the object is still the same, which the store answers with 412 otherwise. Undefined for all of it, also
 * where that condition cannot hold (RFC 9110, 13.1.5: a weak tag never matches).
 */
export function partHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const range = byteRange(headers.range);
  const validator = headers['if-range'];
  if (range === undefined) return undefined;
  if (validator === undefined) return { range };
  // Both conditions in one request are no browser's; the whole object is right for any of them.
  if (typeof validator !== 'string' || conditions.some((name) => headers[name] !== undefined))
    return undefined;
  if (/^"[^"]*"$/.test(validator)) return { range, 'if-match': validator };
  // A store passes over a date that it cannot read, and would send the part on no condition.
  return isHttpDate(validator) ? { range, 'if-unmodified-since': validator } : undefined;
}

/** In the one form of HTTP (RFC 9110, 5.6.7) that stores write. */
const isHttpDate = (text: string) => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toUTCString() === text;
};
