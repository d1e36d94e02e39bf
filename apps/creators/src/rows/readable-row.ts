import {
  ContactBy,
  defaultLayout,
  defaultPalette,
  Layout,
  networkOf,
  Niche,
  OwnLink,
  Palette,
  Paygate,
  Picture,
  SocialLinks,
} from '@stoa/contracts';

export const noLinks: SocialLinks = { youtube: null, tiktok: null, instagram: null };

interface ProfileRow {
  profileImage: unknown;
  headerImage: unknown;
  paygates: unknown;
  socialLinks: unknown;
  niches: readonly string[];
  contactBy: string;
  palette: string;
  layout: string;
  links: unknown;
}

const NullablePicture = Picture.nullable().catch(null);
const Paygates = Paygate.array().catch([]);
const OwnLinks = OwnLink.array().catch([]);
const Links = SocialLinks.catch(noLinks);
// An unknown way of contact must not show the address.
const Contact = ContactBy.catch('form');
const KnownPalette = Palette.catch(defaultPalette);
const KnownLayout = Layout.catch(defaultLayout);

/** The stored picture; null if it cannot be read. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** The stored links for payments; none if they cannot be read. */
export const readablePaygates = (paygates: unknown): Paygate[] => Paygates.parse(paygates);

/** The stored links of the creator's own choice; none if they cannot be read. */
export const readableOwnLinks = (links: unknown): OwnLink[] => OwnLinks.parse(links);

/** The stored links to networks; none if they cannot be read. */
export const readableSocialLinks = (links: unknown): SocialLinks => Links.parse(links);

/** Omits niches that this release does not know. */
export const readableNiches = (niches: readonly string[]): Niche[] =>
  niches.flatMap((niche) => Niche.safeParse(niche).data ?? []);

/** The JSON and text columns as the contract defines them. Unreadable values get defaults, so that no row fails a list. */
export function readableProfile(row: ProfileRow) {
  return {
    profileImage: readablePicture(row.profileImage),
    headerImage: readablePicture(row.headerImage),
    paygates: readablePaygates(row.paygates),
    socialLinks: readableSocialLinks(row.socialLinks),
    niches: readableNiches(row.niches),
    contactBy: Contact.parse(row.contactBy),
    palette: KnownPalette.parse(row.palette),
    layout: KnownLayout.parse(row.layout),
    // Derived on read, since the list of networks grows. Public pages need not load that list.
    links: readableOwnLinks(row.links).map((link) => ({ ...link, network: networkOf(link.url) ?? null })),
  };
}
