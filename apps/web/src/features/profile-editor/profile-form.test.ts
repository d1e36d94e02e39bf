import { expect, test } from '@jest/globals';
import { makeCreator } from '../../testing/creators.ts';
import { checkProfile, emptyRow, formOf, errorsByField, isSavedIn, valuesOf } from './profile-form.ts';

const creator = makeCreator();

const row = (name: string, url: string) => ({ ...emptyRow(), name, url });

test('only paygate rows with a name and a link are sent', () => {
  const paygates = [
    row('PayPal', ''),
    row('', 'https://a.example'),
    row(' ', ' '),
    row('Ko-fi', 'https://b.example'),
  ];
  expect(formOf({ ...valuesOf(creator), paygates }).paygates).toEqual([
    { name: 'Ko-fi', url: 'https://b.example/' },
  ]);
});

test('an error of a sent row appears at its row on screen', () => {
  const rows = [row('PayPal', 'https://a.example'), row('Half', ''), row('Bad', 'javascript:alert(1)')];
  const values = { ...valuesOf(creator), paygates: rows };
  expect(Object.keys(checkProfile(values))).toEqual([`paygates.${rows[2]?.key}.url`]);
  expect(errorsByField(values, { 'paygates.1.name': 'Too long.' })).toEqual({
    [`paygates.${rows[2]?.key}.name`]: 'Too long.',
  });
});

test('the picture is kept, replaced or removed', () => {
  const values = valuesOf(creator);
  const id = crypto.randomUUID();
  expect(formOf(values)).not.toHaveProperty('profileImageId', expect.anything());
  expect(formOf({ ...values, profileImageId: id }).profileImageId).toBe(id);
  expect(formOf({ ...values, profileImageId: null }).profileImageId).toBeNull();
});

test('the header is kept, replaced or removed independently', () => {
  const values = valuesOf(creator);
  const id = crypto.randomUUID();
  expect(formOf(values)).not.toHaveProperty('headerImageId', expect.anything());
  expect(formOf({ ...values, headerImageId: id })).toMatchObject({ headerImageId: id });
  expect(formOf({ ...values, headerImageId: null })).toMatchObject({ headerImageId: null });
  const headerImage = { id, path: 'profile_pictures/a/header_b', widths: [480], width: 480, height: 160 };
  const stored = makeCreator({ headerImage: { ...headerImage, color: '#aabbcc' } });
  expect(isSavedIn(stored, { ...valuesOf(stored), headerImageId: id })).toBe(true);
  expect(isSavedIn(creator, valuesOf(stored))).toBe(false);
});

test('a display name is required, and links must be links', () => {
  const errors = checkProfile({ ...valuesOf(creator), displayName: ' ', youtube: 'not a link' });
  expect(errors).toEqual({
    displayName: 'This field is required.',
    youtube: 'Enter a link that starts with http:// or https://.',
  });
});

test('social links accept a name or a link of their own network only [web-66]', () => {
  const typed = { youtube: '@ada', tiktok: ' tiktok.com/@ada ', instagram: 'https://www.instagram.com/ada' };
  expect(formOf({ ...valuesOf(creator), ...typed }).socialLinks).toEqual({
    youtube: 'https://www.youtube.com/@ada',
    tiktok: 'https://tiktok.com/@ada',
    instagram: 'https://www.instagram.com/ada',
  });
  const elsewhere = 'https://instagram.com.evil.example/ada';
  expect(
    checkProfile({ ...valuesOf(creator), youtube: elsewhere, tiktok: '', instagram: elsewhere }),
  ).toEqual({
    youtube: 'Enter a link to YouTube.',
    instagram: 'Enter a link to Instagram.',
  });
});

test('a saved link that is no longer valid stays in its field with an error', () => {
  const odd = 'https://ada.example/videos';
  const values = valuesOf({ ...creator, socialLinks: { ...creator.socialLinks, youtube: odd } });
  expect(values.youtube).toBe(odd);
  expect(checkProfile(values)).toEqual({ youtube: 'Enter a link to YouTube.' });
});

test('a new account has to choose how to be contacted [web-67]', () => {
  const values = valuesOf({ ...creator, published: false, isPublic: false });
  expect(values.contactBy).toBeUndefined();
  expect(checkProfile(values)).toEqual({ contactBy: 'Choose how mail of visitors reaches you.' });
  expect(checkProfile({ ...values, contactBy: 'form' })).toEqual({});
});

test('palette and layout are sent as chosen', () => {
  const values = valuesOf(makeCreator({ palette: 'olive', layout: 'list' }));
  expect(formOf(values)).toMatchObject({ palette: 'olive', layout: 'list' });
  expect(formOf({ ...values, palette: 'plum' })).toMatchObject({ palette: 'plum', layout: 'list' });
  expect(formOf({ ...values, layout: 'cards' })).toMatchObject({ palette: 'olive', layout: 'cards' });
});

test('complete own links are sent in order, with completed addresses', () => {
  const links = [row('Shop', ''), row('Code', 'ada.example/code'), row('Home', 'https://ada.example/')];
  const values = { ...valuesOf(creator), links };
  expect(formOf(values).links).toEqual([
    { label: 'Code', url: 'https://ada.example/code' },
    { label: 'Home', url: 'https://ada.example/' },
  ]);
  const bad = { ...values, links: [...links, row('x'.repeat(41), 'ada')] };
  const { key } = bad.links[3]!;
  expect(checkProfile(bad)).toEqual({
    [`links.${key}.name`]: 'Must be at most 40 characters.',
    [`links.${key}.url`]: 'Enter a link that starts with http:// or https://.',
  });
  const stored = makeCreator({ links: [{ label: 'Home', url: 'https://ada.example/', network: null }] });
  expect(valuesOf(stored).links).toMatchObject([{ name: 'Home', url: 'https://ada.example/' }]);
});
