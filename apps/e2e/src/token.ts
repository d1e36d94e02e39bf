import { randomUUID } from 'node:crypto';

/** Reads the user id from the access token in an Authorization header. */
export function subjectOf(authorization = ''): string {
  const claims = authorization.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/** Replaces the header of a token, so that it names an unknown key. */
export function withUnknownKeyId(token: string): string {
  const [, ...rest] = token.split('.');
  const header = { alg: 'ES256', typ: 'JWT', kid: randomUUID() };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}
