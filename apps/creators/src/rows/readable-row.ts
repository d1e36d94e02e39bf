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
// A value of a later release counts as 'form', because 'email' would show the address.
const Contact = ContactBy.catch('form');
const KnownPalette = Palette.catch(defaultPalette);
const KnownLayout = Layout.catch(defaultLayout);

export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

export const readablePaygates = (paygates: unknown): Paygate[] => Paygates.parse(paygates);

/** Links of the creator's own choice; none if they cannot be read. */
export const readableOwnLinks = (links: unknown): OwnLink[] => OwnLinks.parse(links);

export const readableSocialLinks = (links: unknown): SocialLinks => Links.parse(links);

/** Leaves out niches that this release does not know. */
export const readableNiches = (niches: readonly string[]): Niche[] =>
  niches.flatMap((niche) => Niche.safeParse(niche).data ?? []);

/** Converts a row to the types of the contract. Unreadable values get defaults, so that one row does not make a list fail. */
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
    // Added here instead of in the database, because the list of networks grows. Public pages then need not load that list.
    links: readableOwnLinks(row.links).map((link) => ({ ...link, network: networkOf(link.url) ?? null })),
  };
}
