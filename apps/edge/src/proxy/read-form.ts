// All fields of Keycloak's forms have one line, so none contains a line break.
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Parses a posted form or a query. Undefined for input that is ambiguous or makes Keycloak fail: broken escapes, invalid
 * UTF-8, control characters, duplicate or empty names.
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

/** Encodes fields in a form that all programs read alike. It escapes all but letters, digits and `*-._`, a space as `%20`. */
export const writeForm = (fields: URLSearchParams): string => fields.toString().replaceAll('+', '%20');

function decoded(given: Buffer | string): URLSearchParams | undefined {
  try {
    const text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
    // Throws for invalid UTF-8, which URLSearchParams would silently replace.
    decodeURIComponent(text);
    return new URLSearchParams(text);
  } catch {
    return undefined;
  }
}
