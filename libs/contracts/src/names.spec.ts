import { expect, test } from '@jest/globals';
import { publicName } from './fields.ts';
import { isReservedName } from './reserved-names.ts';

const reasonFor = (name: string) => publicName(80).safeParse(name).error?.issues[0]?.message;
const reserved = 'This name is kept for the people behind the site.';
const mixed = 'Contains a word with letters of several alphabets.';

test.each([
  ...['Stoa', 'STOA', ' stoa ', 'Stoa Support', 'The Stoa Team', 'Support at Stoa', 'Stoa ✓', 'Stoa🏛️'],
  ...['S.t.o.a', 'S t o a', 'Sto-a', 'Stöa', 'St0a', '$toa', 'Ｓｔｏａ', '𝐒𝐭𝐨𝐚', 'Ⓢⓣⓞⓐ', 'ꜱtoa'],
  ...['Ѕтоа', 'Σтоа'.replace('Σ', 'Ѕ'), 'StoaSupport', 'stoa_admin', 'Stoa Official'],
  ...[
    'Admin',
    'ADMIN',
    'Adrnin',
    'Adm1n',
    'Administrator',
    'Moderator',
    'Support',
    'Support Team',
    'Official Support',
  ],
  ...['Security Team', 'The Admin', 'Webmaster', 'Staff', 'Ádmin', 'a.d.m.i.n'],
])('%s is reserved', (name) => expect(reasonFor(name)).toBe(reserved));

test.each(['Ѕtoa', 'Pаypal', 'Аmara', 'Αmara Okafor', 'Αдмин', 'Gооgle Pay', 'ST0Д', 'Ana ᗩna'])(
  '%s is refused because a word mixes alphabets',
  (name) => expect(reasonFor(name)).toBe(mixed),
);

test('the message for a name that begins with a mark identifies the mark', () => {
  expect(reasonFor('\u0301Ada')).toBe('Begins with U+0301, a mark that belongs behind a letter.');
});

test('direction marks are removed from names', () => {
  expect(publicName(80).parse('Ada \u200fעדה\u200f')).toBe('Ada עדה');
});

test.each([
  ...['Amara Okafor', 'Zoë Ångström', "Seán O'Brien-Smith", 'Nguyễn Thị Hồng', 'Ł. Wójcik', 'José María 2nd'],
  ...['Анна Каренина', 'Їжакевич Юрій', 'Ѓорѓи', 'Ελένη Παπαδοπούλου', 'Հայկ Պետրոսյան', 'ნინო ქავთარაძე'],
  ...['محمد بن سلمان', 'فاطمه می‌نویسد', 'דוד בן־גוריון', 'שָׁרָה', 'अनुष्का शर्मा', 'শেখ হাসিনা', 'கமல்'],
  ...['王小明', '山田 太郎', 'やまだ タロウ', '김철수', 'สมชาย', 'ሰላም'],
  // Names in two alphabets with separate words, and Latin letters beside Han as in Japan.
  ...['Анна Smith', 'DJ Ольга', 'YOSHIKI太郎', 'J.S. 바흐'],
  // Names that are similar to reserved names.
  ...[
    'Stoakes',
    'Stoa\u0304n Petrović',
    'Amanda Root',
    'Team Rocket',
    'Trust Ndlovu',
    'Robert Staff',
    'Supportive Sam',
  ],
  ...['Custodia', 'Ana Stojanović', 'Theo', 'The Help', 'Ada 👩‍🎨', '99 Luftballons', '¡Olé!'],
])('%s is a name', (name) => {
  const parsed = publicName(80).parse(name);
  expect(publicName(80).parse(parsed)).toBe(parsed);
});

test('no name of a country in any language is reserved', () => {
  const languages =
    'am ar az be bg bn chr cs de el es fa fi fr ga gu he hi hr hu hy id is it iu ja ka kk km kn ko ky lo lt lv ' +
    'mk ml mn mr my nl pa pl ps pt ro ru si sk sl sq sr sv sw ta te th ti tr uk ur uz vi yo yue zh zh-TW';
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const names = languages.split(' ').flatMap((language) => {
    const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    return letters.flatMap((a) => letters.flatMap((b) => countries.of(a + b) ?? []));
  });
  const words = new Set(names.flatMap((name) => name.split(/\s+/)));
  expect(words.size).toBeGreaterThan(5000);
  expect([...words].filter(isReservedName)).toEqual([]);
});
