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

/** A row of links on screen; its key outlives the removal of rows above it. */
export interface LinkRow extends Paygate {
  key: string;
}

export interface ProfileValues {
  /** The version of the profile that was opened, kept with what is typed. */
  version: number;
  displayName: string;
  bio: string;
  profileImage: Picture | null;
  /** Set when a picture was chosen in this editor, null when it was removed. */
  profileImageId: string | null | undefined;
  headerImage: Picture | null;
  headerImageId: string | null | undefined;
  paygates: readonly LinkRow[];
  /** Their labels in place of names. */
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
    // Rows with only a name or only a link are not saved.
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

/** Fails when the values are no valid form; `checkProfile` says why. */
export function formOf(values: ProfileValues): ProfileForm {
  return ProfileForm.parse(bodyOf(values));
}

/** Whether the profile says what these values do. */
export function isSavedIn(creator: Creator, values: ProfileValues): boolean {
  const whole = (of: ProfileValues) => {
    const pictures = {
      profileImageId: of.profileImage?.id ?? null,
      headerImageId: of.headerImage?.id ?? null,
    };
    const form = { ...bodyOf(of), ...pictures };
    // A profile of before may hold a link that the form would not take today.
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

/** The form sends only the full rows; an error in the second of them may stand in the third row on screen. */
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
