import { describe, expect, it } from '@jest/globals';
import { drawableText } from './drawable-text.ts';
import { readFontCoverage } from './font-coverage.ts';

const covered = readFontCoverage();
const isShapeless = (letter: string) => /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(letter);

describe('what a card draws', () => {
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
  ])('%s, as it is', (words) => {
    expect(drawableText(words)).toBe(words);
  });

  it.each([
    ['𝓐𝓶𝓪 Ⓑ', 'Ama B'],
    ['ﬁne Ａｍａ', expect.stringMatching(/^(ﬁ|fi)ne (Ａｍａ|Ama)$/)],
    ['Ama \u{10fffd}\ue000 writes', 'Ama writes'],
    ['Ama 𓀀 writes', undefined],
    ['ᏣᎳᎩ', undefined],
    ['አማርኛ', undefined],
    ['ꆈꌠ', undefined],
    ['ᠮᠣᠩᠭᠣᠯ', undefined],
    ['\u200b \u2060', expect.stringMatching(/^[\u200b\u2060 ]*$/)],
    ['', ''],
  ])('%s in another form', (words, drawn) => {
    expect(drawableText(words)).toEqual(drawn);
  });

  it('has a shape for each of its characters, or none is drawn', () => {
    // Each hundredth character of the first three planes, by itself.
    for (let code = 0x21; code < 0x2ffff; code += 97) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const drawn = drawableText(String.fromCodePoint(code));
      const missing = [...(drawn ?? '')].filter(
        (letter) => !isShapeless(letter) && !covered.has(letter.codePointAt(0) ?? 0),
      );
      expect({ code, missing }).toEqual({ code, missing: [] });
    }
  });
});
