import { randomUUID } from 'node:crypto';

/** Whom the access token of a request names, by its header. */
export function subjectOf(authorization = ''): string {
  const claims = authorization.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/** A token as Keycloak makes them, of a key that it does not have. */
export function withUnknownKeyId(token: string): string {
  const [, ...rest] = token.split('.');
  const header = { alg: 'ES256', typ: 'JWT', kid: randomUUID() };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}
