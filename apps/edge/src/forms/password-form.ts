const passwordFields = ['password', 'password-new', 'password-confirm'];

/**
 * The normal form of a password: plain spaces and composed letters (RFC 8265, 4.2; NIST SP 800-63B, 3.1.1.2). Keyboards of
 * different systems encode the same letters differently.
 */
export const normalizePassword = (password: string): string =>
  password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

export function normalizePasswords(fields: URLSearchParams): void {
  for (const name of passwordFields) {
    const given = fields.get(name);
    if (given !== null) fields.set(name, normalizePassword(given));
  }
}

/** The spellings that an account may have stored: the normal form, or the one typed at an older sign-up. */
export function passwordSpellings(password: string): string[] {
  const composed = normalizePassword(password);
  return [...new Set([composed, password, composed.normalize('NFD'), password.normalize('NFC')])];
}
