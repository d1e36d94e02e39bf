import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import {
  countCharacters,
  Layout,
  NewOfferingForm,
  Niche,
  OfferingType,
  Palette,
  ProfileForm,
  uploadBytes,
} from '@stoa/contracts';
import { describe, expect, it } from '@jest/globals';
import { creators, pictureFile } from './creators.ts';
import { offeringForm, profileForm, slug } from './forms.ts';

const pictureId = '7f0c2a52-58a5-4f1c-9a3e-0d5c1c1a2b3c';
const offerings = creators.flatMap((creator) => creator.offerings.map((offering) => ({ creator, offering })));

describe('the seeded creators', () => {
  it('are 25, the sample profile of the home page first', () => {
    expect(creators).toHaveLength(25);
    expect(creators[0]).toMatchObject({ username: 'amara-okafor', displayName: 'Amara Okafor' });
  });

  it('have distinct usernames that the sign-up form accepts', () => {
    const profile = JSON.parse(
      readFileSync(new URL('../../../deploy/keycloak/user-profile.json', import.meta.url), 'utf8'),
    ) as { attributes: { name: string; validations: { pattern?: { pattern: string } } }[] };
    const pattern = profile.attributes.find(({ name }) => name === 'username')?.validations.pattern?.pattern;
    const allowed = new RegExp(`^${pattern}$`);
    const names = creators.map(({ username }) => username);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
  });

  it.each(creators)('$username fits the profile form', (creator) => {
    expect(ProfileForm.parse(profileForm(creator, pictureId))).toEqual(profileForm(creator, pictureId));
  });

  it('have a bio of 40 to 600 characters, except one', () => {
    const lengths = creators.map(({ bio }) => countCharacters(bio));
    expect(lengths.filter((length) => length === 0)).toHaveLength(1);
    expect(lengths.filter((length) => length > 0 && (length < 40 || length > 600))).toEqual([]);
  });

  it('have a picture, except two', () => {
    expect(creators.filter(({ picture }) => !picture)).toHaveLength(2);
  });

  it('show every palette and both layouts, some with a wide picture and links of their own', () => {
    const palettes = Map.groupBy(creators, ({ palette }) => palette);
    expect([...palettes.keys()].toSorted()).toEqual([...Palette.options].toSorted());
    expect(new Set(creators.map(({ layout }) => layout))).toEqual(new Set(Layout.options));
    expect(creators.filter(({ header }) => header && pictureFile(header)).length).toBeGreaterThan(3);
    expect(creators.filter(({ links }) => links.length > 0).length).toBeGreaterThan(3);
  });

  it('cover every niche several times, some with two', () => {
    const all = creators.flatMap(({ niches }) => niches);
    for (const niche of Niche.options) expect(all.filter((one) => one === niche).length).toBeGreaterThan(3);
    expect(creators.filter(({ niches }) => niches.length === 2).length).toBeGreaterThan(3);
  });
});

describe('the seeded offerings', () => {
  it.each(offerings)('$offering.title fits the form', ({ creator, offering }) => {
    const form = offeringForm(creator, offering, pictureId);
    expect(NewOfferingForm.parse(form)).toEqual(form);
  });

  it('are two to six per creator, with distinct slugs', () => {
    for (const { offerings } of creators) {
      expect(offerings.length).toBeGreaterThanOrEqual(2);
      expect(offerings.length).toBeLessThanOrEqual(6);
      expect(new Set(offerings.map(({ title }) => slug(title))).size).toBe(offerings.length);
    }
  });

  it('use every type', () => {
    const used = new Set(offerings.map(({ offering }) => offering.type));
    expect([...used].toSorted()).toEqual([...OfferingType.options].toSorted());
  });

  it('have one workshop with a date in the future', () => {
    const forms = offerings.map(({ creator, offering }) => offeringForm(creator, offering, pictureId));
    const dated = forms.flatMap(({ schedule, seats }) => (schedule ? [{ ...schedule, seats }] : []));
    expect(dated).toEqual([expect.objectContaining({ timeZone: 'Europe/Stockholm', seats: 8 })]);
    expect(Date.parse(`${dated[0]?.start}Z`)).toBeGreaterThan(Date.now() + 20 * 86_400_000);
  });

  it('link only to example.com and to the front pages of social networks', () => {
    const links = creators.flatMap((creator) => {
      const { paygates } = profileForm(creator, undefined);
      const forms = creator.offerings.map((offering) => offeringForm(creator, offering, pictureId));
      return [
        ...paygates.map(({ url }) => url),
        ...forms.flatMap(({ paymentUrl, productUrl }) => [paymentUrl, productUrl]),
      ];
    });
    const given = links.filter((link) => typeof link === 'string');
    expect(given.filter((link) => !new URL(link).hostname.endsWith('.example.com'))).toEqual([]);
    const social = creators.flatMap((creator) => Object.values(profileForm(creator, undefined).socialLinks));
    const paths = social.flatMap((link) => (link === null ? [] : [new URL(link).pathname]));
    expect(new Set(paths)).toEqual(new Set(['/']));
  });
});

describe('the seeded pictures', () => {
  const portraits = creators.flatMap(({ picture }) => picture ?? []);
  const covers = offerings.map(({ offering }) => offering.cover);
  const digest = (name: string) => createHash('sha256').update(pictureFile(name).bytes).digest('hex');

  it('are WebP within the limits of an upload', () => {
    for (const name of [...portraits, ...covers]) {
      const { bytes } = pictureFile(name);
      expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
      expect(bytes.length).toBeLessThan(uploadBytes['offering-cover']);
    }
  });

  it('are distinct, and each is used', () => {
    const names = [...portraits, ...covers];
    expect(new Set(names.map(digest)).size).toBe(names.length);
    expect(readdirSync(new URL('../data/pictures', import.meta.url)).toSorted()).toEqual(names.toSorted());
  });
});
