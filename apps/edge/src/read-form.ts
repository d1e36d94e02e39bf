/** Pairs as browsers spell them: whatever reads such a text, it reads the same. */
const asBrowsersSpell = /^&*(?:[\w%+*.~!'()$,:@/-]+=[\w%+*.~!'()$,:@/-]*(?:&+|$))*$/;
// None of Keycloak's fields has more than one line.
const control = /[\p{Cc}\u2028\u2029]/u;

/** A text of names and values, read as Keycloak does. */
export interface ReadForm {
  readonly fields: URLSearchParams;
  /** Whether Keycloak reads it the same as it was sent. */
  readonly isPlain: boolean;
}

/**
 * A posted form, or the query of an address; undefined for one that Keycloak would fail at or might read differently: a
 * broken escape, bytes that are no UTF-8, a control character, a name twice.
 */
export function readForm(given: Buffer | string): ReadForm | undefined {
  const text = typeof given === 'string' ? given : given.toString('latin1');
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const isPlain = asBrowsersSpell.test(text);
  const fields = decoded(given);
  if (!fields) return undefined;
  const entries = [...fields];
  if (new Set(fields.keys()).size !== entries.length) return undefined;
  if (entries.some(([name, value]) => control.test(name) || control.test(value))) return undefined;
  return { fields, isPlain };
}

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
