import type { IncomingHttpHeaders } from 'node:http';

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/**
 * The headers of a request for part of an object, for a store that does not know `If-Range`: the part on the condition
 * that the object is still the same, which the store answers with 412 otherwise. Undefined where no part is asked for on
 * that condition, `whole` where it cannot hold (RFC 9110, 13.1.5: a weak tag never matches).
 */
export function conditionalRange(headers: IncomingHttpHeaders): Record<string, string> | 'whole' | undefined {
  const { range, 'if-range': validator } = headers;
  if (range === undefined || typeof validator !== 'string') return undefined;
  // Both conditions in one request are no browser's; the whole object is right for any of them.
  if (conditions.some((name) => headers[name] !== undefined)) return 'whole';
  if (/^"[^"]*"$/.test(validator)) return { range, 'if-match': validator };
  // A store passes over a date that it cannot read, and would send the part on no condition.
  return isHttpDate(validator) ? { range, 'if-unmodified-since': validator } : 'whole';
}

/** In the one form of HTTP (RFC 9110, 5.6.7) that stores write. */
const isHttpDate = (text: string) => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toUTCString() === text;
};
