/** The claims of a token, empty if it is malformed. Keycloak checks the signature, before or after this call. */
export function claimsOf(token: unknown): Record<string, unknown> {
  try {
    const [, payload = ''] = String(token).split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
