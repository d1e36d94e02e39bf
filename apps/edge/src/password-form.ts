/** The fields of Keycloak's forms that hold a password. */
const passwordFields = ['password', 'password-new', 'password-confirm'];

/**
 * A password in the one spelling in which it is kept: spaces of every script as U+0020, letters composed (RFC 8265, 4.2;
 * NIST SP 800-63B, 3.1.1.2). Keyboards of different systems send the same letters differently.
 */
export const asKept = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/** Spells every password of a form as it is kept. */
export function spellPasswords(fields: URLSearchParams): void {
  for (const name of passwordFields) {
    const given = fields.get(name);
    if (given !== null) fields.set(name, asKept(given));
  }
}

/** How an account may have kept this password: as is done now, or as it was typed before that. */
export function spellingsOf(password: string): string[] {
  const composed = asKept(password);
  return [...new Set([composed, password, composed.normalize('NFD'), password.normalize('NFC')])];
}
