import { describe, expect, it } from '@jest/globals';
import { drawableText } from './drawable-text.ts';
import { readFontCoverage } from './font-coverage.ts';

const covered = readFontCoverage();
const isShapeless = (letter: string) => /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(letter);

describe('drawable text', () => {
  it.each([
    ...[
      'Ama Ọláìyá',
      'Đặng Thị Ngọc',
      'Łukasz Żółć',
      'İstanbul ığdır',
      'ẞtraße',
      'Ελλάδα',
      'Ἀθῆναι',
      'Москва',
      'Їжак',
    ],
    ...[
      'Բարեւ',
      'გამარჯობა',
      'שָׁלוֹם',
      'السَّلام',
      'فارسی می‌خواهم',
      'اردو ٹڈڑ',
      'नमस्ते',
      'নমস্কার',
      'ਸਤਿ',
      'નમસ્તે',
    ],
    ...[
      'வணக்கம்',
      'నమస్తే',
      'ನಮಸ್ತೆ',
      'നമസ്തേ',
      'ආයුබෝවන්',
      'สวัสดี',
      'សួស្តី',
      'မင်္ဂလာပါ',
      '你好',
      '繁體',
      '山田',
      'カタカナ',
      '안녕하세요',
    ],
    ...['R150 – $12, €9 ₹200 ₦5', '★ → ♫ ✓ ☕', '🎨🚀 👩‍👩‍👧 ❤️ 🇿🇦', '“quoted” … ½ № ™'],
  ])('keeps %s', (words) => {
    expect(drawableText(words)).toBe(words);
  });

  it.each([
    ['𝓐𝓶𝓪 Ⓑ', 'Ama B'],
    ['ﬁne Ａｍａ', expect.stringMatching(/^(ﬁ|fi)ne (Ａｍａ|Ama)$/)],
    ['Ama \u{10fffd}\ue000 writes', 'Ama writes'],
    ['Ama 𓀀 writes', 'Ama writes'],
    ['Yoga ສະບາຍດີ', 'Yoga'],
    ['አማርኛ: Ama’s book', ': Ama’s book'],
    ['ᏣᎳᎩ', ''],
    ['አማርኛ', ''],
    ['ꆈꌠ', ''],
    ['ᠮᠣᠩᠭᠣᠯ', ''],
    ['ສະບາຍດີ! (2) 🎨', ''],
    ['2026!', '2026!'],
    ['\u200b \u2060', expect.stringMatching(/^[\u200b\u2060 ]*$/)],
    ['', ''],
  ])('changes %s to drawable characters', (words, drawn) => {
    expect(drawableText(words)).toEqual(drawn);
  });

  it('contains only characters that a font has', () => {
    // Tests every 97th code point of the first three Unicode planes.
    for (let code = 0x21; code < 0x2ffff; code += 97) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const drawn = drawableText(String.fromCodePoint(code));
      const missing = [...drawn].filter(
        (letter) => !isShapeless(letter) && !covered.has(letter.codePointAt(0) ?? 0),
      );
      expect({ code, missing }).toEqual({ code, missing: [] });
    }
  });
});
