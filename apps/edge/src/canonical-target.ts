import { readForm, writeForm } from './read-form.ts';

/**
 * The target of a request in its one spelling; undefined for one that two programs could read in two ways. What is judged
 * here and what the upstream is asked are this same text, so that they cannot differ.
 */
export function canonicalTarget(target: string): string | undefined {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (!isPlainPath(path)) return undefined;
  // Some programs end a parameter at a semicolon, and a query at a number sign. Bytes outside ASCII have no one character set.
  if (!/^[!-~]*$/.test(query) || /[;#]/.test(query)) return undefined;
  const fields = readForm(query);
  if (!fields) return undefined;
  return fields.size === 0 ? path : `${path}?${writeForm(fields)}`;
}

/**
 * Whether a path means the same to every program: no escapes, no empty or dot segments, no backslashes. Neither Keycloak's
 * addresses nor our objects' keys need any of them.
 */
const isPlainPath = (path: string) =>
  path !== '' && /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path);
