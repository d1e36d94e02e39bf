/**
 * Removes inline scripts that Keycloak adds to answers of forms, because browsers report each script that the policy blocks.
 */
export const withoutInlineScripts = (html: string): string =>
  html.replaceAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>[^]*?<\/script>/gi, '');
