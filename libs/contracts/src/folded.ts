// Letters that Unicode does not decompose, each list after what it is written as. The Latin ones are those of Postgres'
// `unaccent.rules`; the Arabic ones are spelt alike by readers.
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

/** As keyboards, word processors and transliterations write them, with the Hebrew geresh and gershayim. */
export const quotes = /['"`´΄᾽᾿῾‘’‚‛“”„‟′″‵‶‹›«»ʹʺʻʼʽʾʿˈˊˋ׳״＇＂｀]/gu;
// And the dots that part the names of a person in Chinese and Japanese.
const hyphens = /[\p{Dash}\u2043\u2027\u00b7\u30fb]/gu;
/** Accents, points and harakat; what is not shown, joiners and the soft hyphen among them; the tatweel. */
const unread = /[\p{M}\p{Default_Ignorable_Code_Point}\u0640]/gu;
const katakana = /[\u30a1-\u30f6]/g;
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Text as it is compared, on the server and in the browser: without case, accents, quotes and what is not shown, each letter
 * as a keyboard without it writes it, every hyphen as the plain one, white space as single blanks.
 */
export function foldText(text: string): string {
  return (
    text
      // Before they are decomposed: some of them are a blank and an accent.
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
      // Hangul as whole syllables.
      .normalize('NFC')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
