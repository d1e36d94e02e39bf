// No schema in here: public pages say of every text of a creator which language it is in.

const scripts = {
  Latn: /\p{Script=Latin}/gu,
  Cyrl: /\p{Script=Cyrillic}/gu,
  Arab: /\p{Script=Arabic}/gu,
  Hebr: /\p{Script=Hebrew}/gu,
  Kore: /\p{Script=Hangul}/gu,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Grek: /\p{Script=Greek}/gu,
  Deva: /\p{Script=Devanagari}/gu,
  Thai: /\p{Script=Thai}/gu,
  Armn: /\p{Script=Armenian}/gu,
  Geor: /\p{Script=Georgian}/gu,
  Beng: /\p{Script=Bengali}/gu,
  Taml: /\p{Script=Tamil}/gu,
  Telu: /\p{Script=Telugu}/gu,
  Ethi: /\p{Script=Ethiopic}/gu,
} as const;
type ScriptCode = keyof typeof scripts;

/** Scripts that one living language is written in, in all but name. */
const languages: Partial<Record<ScriptCode, string>> = {
  ...{ Hebr: 'he', Kore: 'ko', Grek: 'el', Thai: 'th', Armn: 'hy', Geor: 'ka', Taml: 'ta', Telu: 'te' },
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
  return `und-${script === 'Jpan' ? 'Hani' : script}`;
}

/** The script that most letters are of. Han and kana count as one: both are in every Japanese text. */
function scriptOf(text: string): ScriptCode | undefined {
  let most = 0;
  let found: ScriptCode | undefined;
  for (const code of Object.keys(scripts) as ScriptCode[]) {
    const count = text.match(scripts[code])?.length ?? 0;
    if (count > most) [most, found] = [count, code];
  }
  return found;
}

function certainLanguage(script: ScriptCode, text: string): string | undefined {
  if (script === 'Jpan') return eastAsian(text);
  const letters = text.toLowerCase();
  if (script === 'Cyrl') {
    // Letters beyond an alphabet are those of another language.
    if (/[ыэё]/.test(letters) && !/(?![а-яё])\p{Script=Cyrillic}/u.test(letters)) return 'ru';
    if (/[їєґ]/.test(letters) && !/(?![а-щьюяіїєґ])\p{Script=Cyrillic}/u.test(letters)) return 'uk';
    return undefined;
  }
  if (script === 'Arab') {
    // Persian, Urdu and others write other letters for k and y, which hardly a word is without.
    if (!/(?![\u0621-\u064a])(?=\p{L})\p{Script=Arabic}/u.test(letters)) return 'ar';
    return /[ٹڈڑںے]/.test(letters) ? 'ur' : undefined;
  }
  return languages[script];
}

function eastAsian(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  const isChinese =
    /[们們这這吗嗎你她]/.test(text) || (text.match(/\p{Script=Han}/gu)?.length ?? 0) >= longHan;
  return isChinese ? 'zh' : undefined;
}
