const longest = 320;

/**
 * The account that a posted form names, in one spelling; the rest of the form, its password among it, is not looked at.
 * Keycloak cuts off more at the ends of a name than JavaScript does, so nothing up to the blank counts.
 */
export function accountIn(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  const given = new URLSearchParams(body.toString('utf8')).get('username') ?? '';
  const account = given
    .normalize('NFKC')
    .replaceAll(/[\0- ]/g, '')
    .toLowerCase();
  return account === '' ? undefined : account.slice(0, longest);
}

/** The same form for an account that nobody has, so that Keycloak answers as ever and mails nobody. */
export function forNobody(body: Buffer): Buffer {
  const form = new URLSearchParams(body.toString('utf8'));
  form.set('username', 'nobody@stoa.invalid');
  return Buffer.from(form.toString());
}
