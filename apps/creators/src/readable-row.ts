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

/** A stored picture; null for one that cannot be read. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** Stored links for payments; none where they cannot be read. */
export const readablePaygates = (paygates: unknown): Paygate[] => Paygates.parse(paygates);

/** Stored links of the creator's own choice; none where they cannot be read. */
export const readableOwnLinks = (links: unknown): OwnLink[] => OwnLinks.parse(links);

/** Stored links to networks; none where they cannot be read. */
export const readableSocialLinks = (links: unknown): SocialLinks => Links.parse(links);

/** The niches there are by now. */
export const readableNiches = (niches: readonly string[]): Niche[] =>
  niches.flatMap((niche) => Niche.safeParse(niche).data ?? []);

/** What the database keeps as JSON or text, as the contract has it: one odd row must not take others with it. */
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
    // Found out on reading, since the list of networks grows: a page of visitors need not bring it along.
    links: readableOwnLinks(row.links).map((link) => ({ ...link, network: networkOf(link.url) ?? null })),
  };
}
