/**
 * A page without the scripts that stand in it: the policy of the pages forbids them, and a browser complains of each.
 * Keycloak puts one into its answer to a form, which would only tidy up the address.
 */
export const withoutInlineScripts = (html: string): string =>
  html.replaceAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>[^]*?<\/script>/gi, '');
