// Without schemas: public pages import this file, and zod would add to their size.

/** The label of an offering whose type this release does not know. */
export const untypedOffering = 'General';

/** The palette of Stoa's own pages and of new profiles. */
export const defaultPalette = 'terracotta';

export const defaultLayout = 'cards';

export const unnamedCreator = 'Unnamed Creator';

/** The Keycloak role of operators, who decide about reported pages. */
export const operatorRole = 'operator';

/** The phrase that confirms the deletion of an account. */
export const deletionPhrase = 'delete my account';

/** The name of a creator on all pages, with a fallback. */
export function displayNameOf({ displayName }: { displayName: string }): string {
  return displayName || unnamedCreator;
}

/** Carries the delivery key over HTTP. A URL would leave the key in logs and histories. */
export const deliveryKeyHeader = 'stoa-delivery-key';

export const siteTitle = 'Stoa: a commission-free home for creators';

/** The title for the browser tab, search results and link previews. */
export function documentTitle(page: string): string {
  return `${page} · Stoa`;
}
