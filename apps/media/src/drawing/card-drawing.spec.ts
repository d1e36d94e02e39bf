import type { PreviewCard } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from '@jest/globals';
import { plain } from '../../test/sample-pictures.ts';
import { CardRenderer } from './card-renderer.ts';

const renderer = new CardRenderer();
const uid = randomUUID();
const card: PreviewCard = {
  ...{ uid, username: 'ama-writes', name: 'Ama', text: 'Poems about rivers.' },
  ...{ palette: 'aegean', pictureId: null },
};
const draw = (changes: Partial<PreviewCard>, picture: Buffer | null = null) =>
  renderer.render({ card: { ...card, ...changes }, picture });

/** Share of the colour values that differ by more than JPEG compression explains. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((jpeg) => sharp(jpeg).raw().toBuffer()));
  if (!a || !b) throw new Error('There are no pixels.');
  let differing = 0;
  // A loop, because `filter` is much slower for two million values.
  for (let index = 0; index < a.length; index += 1)
    if (Math.abs((a[index] ?? 0) - (b[index] ?? 0)) > 32) differing += 1;
  return differing / a.length;
}

it.each([
  ['the longest name', { name: 'W'.repeat(80), text: 'w '.repeat(80) }],
  ['markup', { name: '<span foreground="red">&amp;</b>', text: '</span>&' }],
  ['invisible text', { name: '\u200b', text: '' }],
  ['an unknown script', { name: '\u{12000}\u{10FFFD}', text: '\u{1F9FF}\u{13000}' }],
  ['right to left', { name: 'ليلى الخطّاط', text: 'רישום' }],
])('draws %s as a JPEG of 1200 × 630', async (_, words) => {
  const jpeg = await draw(words);
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  expect(jpeg.length).toBeLessThan(300_000);
});

it.each([
  ['Arabic', 'مرحبا', 'سلامة'],
  ['Hebrew', 'שלום', 'תודה'],
  ['Greek', 'Ελλάδα', 'Θήβα'],
  ['Cyrillic', 'Москва', 'Привет'],
  ['Devanagari', 'नमस्ते', 'धन्यवाद'],
  ['Thai', 'สวัสดี', 'ขอบคุณ'],
  ['Chinese', '山田花子', '你好世界'],
  ['Korean', '안녕하세', '감사합니'],
  ['Japanese', 'ひらがな', 'カタカナ'],
  ['emoji', '🎨🎨', '🚀🚀'],
  ['signs', '★→', '♫✓'],
  ['Bengali', 'নমস্কার', 'ধন্যবাদ'],
  ['Tamil', 'வணக்கம்', 'நன்றி'],
  ['Telugu', 'నమస్తే', 'ధన్యవాదాలు'],
  ['Gujarati', 'નમસ્તે', 'આભાર'],
  ['Gurmukhi', 'ਸਤਿ', 'ਧੰਨਵਾਦ'],
  ['Kannada', 'ನಮಸ್ತೆ', 'ಧನ್ಯವಾದ'],
  ['Malayalam', 'നമസ്തേ', 'നന്ദി'],
  ['Sinhala', 'ආයුබෝවන්', 'ස්තුතියි'],
  ['Georgian', 'გამარჯობა', 'მადლობა'],
  ['Armenian', 'Բարեւ', 'Շնորհակալ'],
  ['Khmer', 'សួស្តី', 'អរគុណ'],
  ['Burmese', 'မင်္ဂလာပါ', 'ကျေးဇူး'],
])('has letters for %s [media-1]', async (_, one, other) => {
  // Without a font for the script, both cards would show the same empty boxes.
  const [a, b] = await Promise.all([draw({ name: one, text: '' }), draw({ name: other, text: '' })]);
  expect(await difference(a, b)).toBeGreaterThan(0.003);
});

it('draws the username for a name without drawable letters, and omits such a text [media-2]', async () => {
  const [unknown, empty] = await Promise.all([
    draw({ name: 'ᏣᎳᎩ', text: 'አማርኛ' }),
    draw({ name: '\u200b', text: '' }),
  ]);
  expect(unknown).toEqual(empty);
});

it('draws mathematical letters as plain ones', async () => {
  expect(await draw({ name: '𝓐𝓶𝓪' })).toEqual(await draw({ name: 'Ama' }));
});

it('shows the picture, the palette and the price of an offering', async () => {
  const picture = await plain({ width: 768, height: 768 }, '#c02040').webp().toBuffer();
  const offering = { id: uid, title: 'Twelve letters', type: 'eBook', price: 'R150' };
  const drawn = await Promise.all([
    draw({}),
    draw({}, picture),
    draw({ palette: 'plum' }),
    draw({ offering }, picture),
    draw({ offering: { ...offering, price: 'R900 now' } }, picture),
  ]);
  for (const [index, one] of drawn.entries())
    for (const other of drawn.slice(index + 1)) expect(await difference(one, other)).toBeGreaterThan(0.0002);
  const { data } = await sharp(drawn[1]!)
    .extract({ left: 950, top: 300, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(Math.abs((data[0] ?? 0) - 0xc0)).toBeLessThan(12);
});
