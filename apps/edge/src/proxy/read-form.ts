// All fields of Keycloak have a single line.
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Parses a posted form or a query. Undefined for input that is ambiguous or makes Keycloak fail: a broken escape, invalid
 * UTF-8, a control character, a duplicate name or an empty name.
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
 * Encodes fields in a form that every program reads alike. Everything except letters, digits and `*-._` is escaped, a space
 * as `%20`.
 */
export const writeForm = (fields: URLSearchParams): string => fields.toString().replaceAll('+', '%20');

function decoded(given: Buffer | string): URLSearchParams | undefined {
  try {
    const text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
    // Throws for invalid UTF-8, which URLSearchParams would replace with U+FFFD.
    decodeURIComponent(text);
    return new URLSearchParams(text);
  } catch {
    return undefined;
  }
}
