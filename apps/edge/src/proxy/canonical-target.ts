import { readForm, writeForm } from './read-form.ts';

/** Normalizes the target, so that checks and upstream read the same text. Undefined if programs could read it differently. */
export function canonicalTarget(target: string): string | undefined {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (!isPlainPath(path)) return undefined;
  // Some programs end a parameter at `;` or a query at `#`. Bytes outside ASCII have no defined charset.
  if (!/^[!-~]*$/.test(query) || /[;#]/.test(query)) return undefined;
  const fields = readForm(query);
  if (!fields) return undefined;
  return fields.size === 0 ? path : `${path}?${writeForm(fields)}`;
}

/** Whether all programs read the path alike: without escapes, backslashes, empty or dot segments, which no address needs. */
const isPlainPath = (path: string) =>
  path !== '' && /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path);
