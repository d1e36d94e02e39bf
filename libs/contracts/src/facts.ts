// No schema in here: public pages need these words, and a schema library would weigh on each of them.

/** What an offering from before there were types is called. */
export const untypedOffering = 'General';

/** The look of Stoa itself, one of the palettes. */
export const defaultPalette = 'terracotta';

export const defaultLayout = 'cards';

export const unnamedCreator = 'Unnamed Creator';

/** Whom the realm gives this role may decide about reported pages. */
export const operatorRole = 'operator';

/** What one types to confirm that the account shall go. */
export const deletionPhrase = 'delete my account';

/** What a creator is called on every screen. */
export function displayNameOf({ displayName }: { displayName: string }): string {
  return displayName || unnamedCreator;
}

/** Carries the delivery key over HTTP: addresses stay in logs and histories. */
export const deliveryKeyHeader = 'stoa-delivery-key';

export const siteTitle = 'Stoa: a commission-free home for creators';

/** What stands in the browser's tab, in search results and in link previews. */
export function documentTitle(page: string): string {
  return `${page} · Stoa`;
}
