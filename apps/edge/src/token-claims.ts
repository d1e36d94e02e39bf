/** The claims of a token; none of what is no token. Its signature is Keycloak's affair, which has sent it or will judge it. */
export function claimsOf(token: unknown): Record<string, unknown> {
  try {
    const [, payload = ''] = String(token).split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
