// Letters that Unicode does not decompose. Each list follows its replacement. The Latin ones are from Postgres'
// `unaccent.rules`; writers use the Arabic ones interchangeably.
const undecomposed = `
  a ᴀᶏⱥɑ aa ꜳ ae æᴁ ao ꜵ au ꜷ av ꜹꜻ ay ꜽ b ƀƃɓʙᴃᵬᶀ c ƈȼɕᴄꞓ d ðđƌȡɖɗᴅᴆᵭᶁᶑꝱꝺ db ȸ dz ʣʥ e ɇɛəǝᴇᶒᶓⱸ f ƒᵮᶂꜰꝼ g ǥɠɡɢɣʛᶃꞡ
  h ħɦɧʜⱨ hv ƕ i ıɨɩɪᵻᶖ j ȷɉɟʝᴊ k ƙᴋᶄⱪꝁꝃꝅꞣ l łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ ll ỻ ls ʪ lz ʫ m ɱᴍᵯᶆꝳ n ŋƞȵɲɳɴᵰᶇꝴꞑꞥ o øɔᴏⱺꝋꝍ oe œɶ oi ƣ oo ꝏ ou ȣ
  p ƥᴘᵱᵽᶈꝑꝓꝕ q ĸɋʠꝗꝙ qp ȹ r ɍɼɽɾʀᵲᵳᶉꝵꝶꞧ s ȿʂᵴᶊẜẝꜱꞩ ss ß t ŧƫƭȶʈᴛᵵⱦꝷꞇ th þᵺꝥꝧ ts ʦ u ʉʊᴜᵾᶙ ue ᵫ v ʋᴠᶌỽⱱⱴꝟ vy ꝡ w ƿᴡⱳ x ᶍ
  y ƴȝɏʏỿ z ƶȥɀʐʒʑᴢᵶᶎⱬ σ ς ا ٱ ي ىی ك ک ه ةہھە
`;
const letters = new Map<string, string>();
let plainLetters = '';
for (const [index, entry] of undecomposed.trim().split(/\s+/).entries())
  if (index % 2 === 0) plainLetters = entry;
  else for (const letter of entry) letters.set(letter, plainLetters);
const foldable = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu');

/** Quotes of keyboards, word processors and transliterations, and the Hebrew geresh and gershayim. */
export const quotes = /['"`´΄᾽᾿῾‘’‚‛“”„‟′″‵‶‹›«»ʹʺʻʼʽʾʿˈˊˋ׳״＇＂｀]/gu;
// Dashes, and the dots that separate a person's names in Chinese and Japanese.
const hyphens = /[\p{Dash}\u2043\u2027\u00b7\u30fb]/gu;
/**
 * Removed characters: accents, Hebrew points and Arabic harakat; invisible characters such as joiners and the
 * soft hyphen; the tatweel.
 */
const unread = /[\p{M}\p{Default_Ignorable_Code_Point}\u0640]/gu;
const katakana = /[\u30a1-\u30f6]/g;
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Folds text for comparison: lower case, without accents, quotes and invisible characters, with plain hyphens and single
 * spaces. A special letter becomes its usual replacement, `ß` becomes `ss`. Server and browser share it.
 */
export function foldText(text: string): string {
  return (
    text
      // Removes quotes before the decomposition, because some decompose to a space and an accent.
      .replace(quotes, '')
      .normalize('NFKD')
      .replace(unread, '')
      .replace(quotes, '')
      .toLowerCase()
      .replace(/l\u00b7(?=l)/g, 'l')
      .replace(foldable, (letter) => letters.get(letter) ?? letter)
      .replace(katakana, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
      .replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf))
      .replace(hyphens, '-')
      // NFC composes Hangul to whole syllables again.
      .normalize('NFC')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
