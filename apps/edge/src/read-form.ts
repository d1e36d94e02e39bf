// None of Keycloak's fields has more than one line.
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * A posted form, or the query of an address; undefined for one that two programs could read in two ways, and for one that
 * Keycloak would fail at: a broken escape, bytes that are no UTF-8, a control character, a name twice or no name.
 */
export function readForm(given: Buffer | string): URLSearchParams | undefined {
  const text = typeof given === 'string' ? given : given.toString('latin1');
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const fields = decoded(given);
  if (!fields) return undefined;
  const entries = [...fields];
  if (fields.has('') || new Set(fields.keys()).size !== entries.length) return undefined;
  if (entries.some(([name, value]) => control.test(name) || control.test(value))) return undefined;
  return fields;
}

/**
 * Names and values in the one spelling that every program reads the same: all but letters, digits and `*-._` is escaped, a
 * space by `%20`.
 */
export const writeForm = (fields: URLSearchParams): string => fields.toString().replaceAll('+', '%20');

function decoded(given: Buffer | string): URLSearchParams | undefined {
  try {
    const text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
    // URLSearchParams puts U+FFFD for what is no UTF-8.
    decodeURIComponent(text);
    return new URLSearchParams(text);
  } catch {
    return undefined;
  }
}
