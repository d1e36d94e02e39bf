/** Whom the access token of a request names, by its header. */
export function subjectOf(authorization = ''): string {
  const claims = authorization.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}
