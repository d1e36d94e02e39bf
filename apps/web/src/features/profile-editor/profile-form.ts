import {
  type ContactBy,
  type Creator,
  type Layout,
  type Niche,
  type Palette,
  type Paygate,
  type Picture,
  ProfileForm,
} from '@stoa/contracts';
import { completeSocialLink } from '@stoa/contracts/typed-links';
import type { FieldErrors } from '../../forms/use-form.ts';
import { validateWith } from '../../forms/validate-with.ts';

/** A row of links on screen. Its key stays when rows above it are removed. */
export interface LinkRow extends Paygate {
  key: string;
}

export interface ProfileValues {
  /** The version that the edit started from, part of the draft. */
  version: number;
  displayName: string;
  bio: string;
  profileImage: Picture | null;
  /** The id of a picture chosen in this editor; null after a removal, undefined without a change. */
  profileImageId: string | null | undefined;
  headerImage: Picture | null;
  headerImageId: string | null | undefined;
  paygates: readonly LinkRow[];
  /** Here `name` holds the link's label. */
  links: readonly LinkRow[];
  youtube: string;
  tiktok: string;
  instagram: string;
  niches: readonly Niche[];
  contactBy: ContactBy | undefined;
  palette: Palette;
  layout: Layout;
}

export function emptyRow(): LinkRow {
  return { key: crypto.randomUUID(), name: '', url: '' };
}

export function valuesOf(creator: Creator): ProfileValues {
  const { links = [] } = creator;
  const { displayName, bio, profileImage, headerImage, socialLinks, niches, palette, layout, version } =
    creator;
  return {
    version,
    displayName,
    bio,
    profileImage,
    profileImageId: undefined,
    headerImage,
    headerImageId: undefined,
    paygates: creator.paygates.map((paygate) => ({ ...emptyRow(), ...paygate })),
    links: links.map(({ label, url }) => ({ ...emptyRow(), name: label, url })),
    youtube: socialLinks.youtube ?? '',
    tiktok: socialLinks.tiktok ?? '',
    instagram: socialLinks.instagram ?? '',
    niches,
    contactBy: creator.published ? creator.contactBy : undefined,
    palette,
    layout,
  };
}

function isFull({ name, url }: Paygate): boolean {
  return name.trim() !== '' && url.trim() !== '';
}

function bodyOf(values: ProfileValues) {
  const { displayName, bio, profileImageId, youtube, tiktok, instagram, niches, contactBy } = values;
  const { headerImageId, palette, layout } = values;
  return {
    displayName,
    bio,
    // Incomplete rows are not saved.
    paygates: values.paygates.filter(isFull).map(({ name, url }) => ({ name, url })),
    links: values.links.filter(isFull).map(({ name, url }) => ({ label: name, url })),
    socialLinks: {
      youtube: completeSocialLink('youtube', youtube) || null,
      tiktok: completeSocialLink('tiktok', tiktok) || null,
      instagram: completeSocialLink('instagram', instagram) || null,
    },
    niches,
    contactBy,
    palette,
    layout,
    profileImageId,
    headerImageId,
  };
}

/** Throws if the values are not valid. `checkProfile` returns the errors. */
export function formOf(values: ProfileValues): ProfileForm {
  return ProfileForm.parse(bodyOf(values));
}

/** Whether the stored profile equals these values. */
export function isSavedIn(creator: Creator, values: ProfileValues): boolean {
  const whole = (of: ProfileValues) => {
    const pictures = {
      profileImageId: of.profileImage?.id ?? null,
      headerImageId: of.headerImage?.id ?? null,
    };
    const form = { ...bodyOf(of), ...pictures };
    // A stored profile may have a link that a newer rule refuses.
    const { data } = ProfileForm.safeParse(form);
    return JSON.stringify(data ?? form);
  };
  return whole(valuesOf(creator)) === whole(values);
}

export function checkProfile(values: ProfileValues): FieldErrors {
  const unchosen: FieldErrors = values.contactBy
    ? {}
    : { contactBy: 'Choose how mail of visitors reaches you.' };
  return { ...errorsByField(values, validateWith(ProfileForm, bodyOf(values))), ...unchosen };
}

/**
 * Maps the server's errors to rows on screen. Only complete rows are sent, so the second sent row may be the
 * third on screen.
 */
export function errorsByField(values: ProfileValues, errors: FieldErrors): FieldErrors {
  const onScreen = (path: string) => {
    const [, list, place, part] = /^(paygates|links)\.(\d+)\.(name|label|url)$/.exec(path) ?? [];
    if (list === 'paygates' || list === 'links') {
      const { key } = values[list].filter(isFull)[Number(place)] ?? {};
      return `${list}.${key}.${part === 'url' ? part : 'name'}`;
    }
    return path.replace(/^socialLinks\./, '');
  };
  return Object.fromEntries(Object.entries(errors).map(([path, message]) => [onScreen(path), message]));
}
