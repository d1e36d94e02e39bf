import { randomUUID } from 'node:crypto';

/** The user id in the access token of an Authorization header. */
export function subjectOf(authorization = ''): string {
  const claims = authorization.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/** A token in Keycloak's format with an unknown key id. */
export function withUnknownKeyId(token: string): string {
  const [, ...rest] = token.split('.');
  const header = { alg: 'ES256', typ: 'JWT', kid: randomUUID() };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}
