// No schema in here: public pages say of every text of a creator which language it is in.

/** By the codes of ISO 15924. Han and kana count as one, since both are in every Japanese text. */
const scripts = (
  'Latn Cyrl Arab Hebr Hang Hani Grek Deva Thai Armn Geor Beng Taml Telu Ethi ' +
  'Knda Mlym Gujr Guru Orya Sinh Laoo Khmr Mymr Tibt Mong Thaa'
)
  .split(' ')
  .map((code) => {
    const letters = code === 'Hani' ? String.raw`\p{sc=Hira}\p{sc=Kana}` : '';
    return [code, new RegExp(String.raw`[\p{sc=${code}}${letters}]`, 'gu')] as const;
  });

/** Scripts that one living language is written in, in all but name. */
const languages: Readonly<Record<string, string>> = {
  ...{ Hebr: 'he', Hang: 'ko', Grek: 'el', Thai: 'th', Armn: 'hy', Geor: 'ka', Taml: 'ta', Telu: 'te' },
  ...{
    Knda: 'kn',
    Mlym: 'ml',
    Gujr: 'gu',
    Guru: 'pa',
    Orya: 'or',
    Sinh: 'si',
    Laoo: 'lo',
    Khmr: 'km',
    Thaa: 'dv',
  },
};

/** In so many Han characters some would be kana, were it Japanese. */
const longHan = 12;

/**
 * The language of a text as a BCP 47 tag, as far as its letters prove it: a language, `und-Cyrl` where only the script is
 * certain, and the empty tag of an unknown language for Latin letters. A text that is too short to tell takes
 * the language of the first of `others` by the same person in the same script.
 */
export function languageOf(text: string, ...others: readonly string[]): string {
  const script = scriptOf(text);
  if (script === undefined || script === 'Latn') return '';
  for (const each of [text, ...others]) {
    const language = scriptOf(each) === script && certainLanguage(script, each);
    if (language) return language;
  }
  return `und-${script}`;
}

/** The script that most letters are of. */
function scriptOf(text: string): string | undefined {
  let most = 0;
  let found: string | undefined;
  for (const [code, letters] of scripts) {
    const count = text.match(letters)?.length ?? 0;
    if (count > most) [most, found] = [count, code];
  }
  return found;
}

function certainLanguage(script: string, text: string): string | undefined {
  if (script === 'Hani') return eastAsian(text);
  const letters = text.toLowerCase();
  if (script === 'Cyrl') {
    // Letters beyond an alphabet are those of another language.
    if (/[ыэё]/.test(letters) && !/(?![а-яё])\p{sc=Cyrl}/u.test(letters)) return 'ru';
    if (/[їєґ]/.test(letters) && !/(?![а-щьюяіїєґ])\p{sc=Cyrl}/u.test(letters)) return 'uk';
    return undefined;
  }
  if (script === 'Arab') {
    // Persian, Urdu and others write other letters for k and y, which hardly a word is without.
    if (!/(?![\u0621-\u064a])(?=\p{L})\p{sc=Arab}/u.test(letters)) return 'ar';
    return /[ٹڈڑںے]/.test(letters) ? 'ur' : undefined;
  }
  return languages[script];
}

function eastAsian(text: string): string | undefined {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'ja';
  const isChinese = /[们們这這吗嗎你她]/.test(text) || (text.match(/\p{sc=Hani}/gu)?.length ?? 0) >= longHan;
  return isChinese ? 'zh' : undefined;
}
