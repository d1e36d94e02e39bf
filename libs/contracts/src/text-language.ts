// Without schemas: public pages import this file, and zod would add to their size.

/** ISO 15924 codes. Han and kana count as one script, because Japanese texts mix them. */
const scripts = (
  'Latn Cyrl Arab Hebr Hang Hani Grek Deva Thai Armn Geor Beng Taml Telu Ethi ' +
  'Knda Mlym Gujr Guru Orya Sinh Laoo Khmr Mymr Tibt Mong Thaa'
)
  .split(' ')
  .map((code) => {
    const letters = code === 'Hani' ? String.raw`\p{sc=Hira}\p{sc=Kana}` : '';
    return [code, new RegExp(String.raw`[\p{sc=${code}}${letters}]`, 'gu')] as const;
  });

/** Scripts that in practice one living language uses. */
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

/** Common simplified and traditional Chinese characters that Japanese does not use. */
const chinese =
  /[們们這这吗嗎你妳您她很呢吧啦么麼说为对过还给让谁时书读诗语话爱见长门间问题网图乐艺东车马鸟鱼头从进发现样种]/u;

/**
 * The BCP 47 tag of a text, as far as its letters prove it: a language, a script alone such as `und-Cyrl`, or empty for
 * Latin letters. A text without proof gets the language of the first of `others`, texts by the same author, in its script.
 */
export function languageOf(text: string, ...others: readonly string[]): string {
  const script = scriptOf(text);
  if (script === undefined || script === 'Latn') return '';
  const texts = [text, ...others.filter((other) => scriptOf(other) === script)];
  const all = texts.join(' ');
  for (const each of texts) {
    const language = certainLanguage(script, each, all);
    if (language) return language;
  }
  return `und-${script}`;
}

/** The script of most letters. */
function scriptOf(text: string): string | undefined {
  let most = 0;
  let found: string | undefined;
  for (const [code, letters] of scripts) {
    const count = text.match(letters)?.length ?? 0;
    if (count > most) [most, found] = [count, code];
  }
  return found;
}

/** The language that the letters of `text` prove. The absence of other languages' letters counts only in `all` texts. */
function certainLanguage(script: string, text: string, all: string): string | undefined {
  if (script === 'Hani') return eastAsian(text);
  const letters = text.toLowerCase();
  if (script === 'Cyrl') {
    // Letters outside both alphabets belong to a third language. Many people write both Russian and Ukrainian.
    const isOther = /(?![а-яёіїєґ])\p{sc=Cyrl}/u.test(all.toLowerCase());
    if (/[ыэё]/.test(letters) && !/(?![а-яё])\p{sc=Cyrl}/u.test(letters) && !isOther) return 'ru';
    if (/[їєґ]/.test(letters) && !/(?![а-щьюяіїєґ])\p{sc=Cyrl}/u.test(letters)) return 'uk';
    return undefined;
  }
  if (script === 'Arab') {
    // Persian, Urdu and others use different letters for k and y, which are very frequent.
    if (!/(?![\u0621-\u064a])(?=\p{L})\p{sc=Arab}/u.test(all)) return 'ar';
    return /[ٹڈڑںے]/.test(letters) ? 'ur' : undefined;
  }
  return languages[script];
}

/** Han characters alone do not prove a language. A single `の` also decorates Chinese names. */
function eastAsian(text: string): string | undefined {
  if (/(?!の)[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'ja';
  if (chinese.test(text)) return 'zh';
  return text.includes('の') ? 'ja' : undefined;
}
