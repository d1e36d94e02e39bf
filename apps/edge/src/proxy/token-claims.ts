/** The claims of a token, empty for a malformed one. The signature is not checked: Keycloak sent the token or will verify it. */
export function claimsOf(token: unknown): Record<string, unknown> {
  try {
    const [, payload = ''] = String(token).split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
