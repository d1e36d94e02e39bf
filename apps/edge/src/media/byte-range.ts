import type { IncomingHttpHeaders } from 'node:http';

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;
/** A position after the end of every object. Some stores cannot parse longer numbers. */
const beyond = 10 ** 15;

/**
 * Converts a `Range` header into a form that all stores parse alike. Undefined for malformed or multiple ranges, which a
 * server may ignore (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined): string | undefined {
  const [, set = ''] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  const [range = '', ...others] = set.split(/[ \t]*,[ \t]*/).filter((one) => one !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (others.length > 0 || first + last === '') return undefined;
  const [from, to] = [first, last].map((digits) => Math.min(Number(digits), beyond));
  // A range of the last zero bytes is invalid, and so is a start after the end.
  if (first === '') return to === 0 ? `bytes=${beyond}-` : `bytes=-${to}`;
  if (last === '') return `bytes=${from}-`;
  return BigInt(last) < BigInt(first) ? undefined : `bytes=${from}-${to}`;
}

/**
 * Converts `If-Range`, which not every store supports, into another condition. If the object has changed, the store then
 * answers 412. Undefined: request the whole object, also because a weak tag never matches (RFC 9110, 13.1.5).
 */
export function rangeHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const range = byteRange(headers.range);
  const validator = headers['if-range'];
  if (range === undefined) return undefined;
  if (validator === undefined) return { range };
  // Browsers do not combine `If-Range` with these conditions. The whole object is a valid answer to both.
  if (typeof validator !== 'string' || conditions.some((name) => headers[name] !== undefined))
    return undefined;
  if (/^"[^"]*"$/.test(validator)) return { range, 'if-match': validator };
  // A store that cannot parse the date would ignore the condition and send part of a changed object.
  return isHttpDate(validator) ? { range, 'if-unmodified-since': validator } : undefined;
}

/** Whether the text has the date format that stores write (RFC 9110, 5.6.7). */
const isHttpDate = (text: string) => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toUTCString() === text;
};
