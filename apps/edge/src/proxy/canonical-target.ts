import { readForm, writeForm } from './read-form.ts';

/**
 * The normalized target of a request; undefined for a target that two programs could read differently. The proxy checks and
 * forwards this same text.
 */
export function canonicalTarget(target: string): string | undefined {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (!isPlainPath(path)) return undefined;
  // Some programs end a parameter at a semicolon, and a query at a number sign. Bytes outside ASCII have no defined charset.
  if (!/^[!-~]*$/.test(query) || /[;#]/.test(query)) return undefined;
  const fields = readForm(query);
  if (!fields) return undefined;
  return fields.size === 0 ? path : `${path}?${writeForm(fields)}`;
}

/**
 * Whether every program reads a path alike: it has no escapes, no empty or dot segments, no backslashes. Keycloak's
 * addresses and our object keys need none of them.
 */
const isPlainPath = (path: string) =>
  path !== '' && /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path);
