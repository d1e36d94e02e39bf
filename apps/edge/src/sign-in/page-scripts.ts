/**
 * Removes inline scripts, since the policy forbids them and a browser reports each one. Keycloak adds one to its response to a
 * form, which only shortens the address.
 */
export const withoutInlineScripts = (html: string): string =>
  html.replaceAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>[^]*?<\/script>/gi, '');
