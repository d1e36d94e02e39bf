import { foldText } from './folded.ts';

// Letters and symbols of other scripts that resemble Latin letters. Only the words of `reserved-names.ts` are compared, so
// broad tables do no harm: a name in another script spells none of these words.

/** Confusables of Unicode TS 39 (`confusables.txt` 13.0) that `foldText` does not fold to the Latin letter. */
const confusables = {
  a: '⍺αаꭺᗅꓮ𖽀𐊠⍶',
  b: 'ƅьꮟᑲᖯꞵβвᏼᗷꓐ𐊂𐊡𐌁ᑳбҍѣᒈ',
  c: 'σⲥсꮯ𐐽🝌𑣲𑣩ꓚ𐊢𐌂𐔜¢₡🅮ҫεⲉєԑꮛ𑣎𐐩€',
  d: 'ԁꮷᑯꓒꭰᗞᗪꓓ₫ᒇ',
  e: '℮ꬲеҽ⋿εⴹꭼꓰ𑣆𑣎𐊆ҿәⴺꓱ𝈡ԑꮛ𖼭𐐩ɜ',
  f: 'ꬵꞙք𝈓ϝᖴꓝ𑣂𐊇𐊥𐔥',
  g: 'ƍցԍꮐᏻꓖ',
  h: 'һհꮒηⲏнꮋᕼꓧ𐋏ꚕᏺңћӊӈ',
  i: '⍳ιіꙇӏꭵ𑣃⍸ᵼ',
  j: 'ϳјꭻᒍꓙյ',
  k: 'κⲕкꮶᛕꓗ𐔘қ₭ҟ',
  l: '׀∣⏽│𐌠𞣇ǀιⲓіӏוןاߊⵏᛁꓲ𖼨𐊊𐌉𝈪ⳑꮮᒪꓡ𖼖𑣃𑣒𐑃𐔦ٳױ',
  m: 'μϻⲙмꮇᗰᛖꓟ𐊰𐌑ӎ𑣣𑜀₥',
  n: 'ոռνⲛꓠ𐔓𐆎η',
  o: '०੦૦௦౦೦൦๐໐၀ᴑꬽοσⲟоჿօסهഠဝ𐓪𑣈𑣗𐐬߀০୦〇𑓐𑣠ⵔዐଠꓳ𑣕𐊒𐊫𐔖ۿꬾⵁɵөѳꮎꮻ⊖⊝⍬𝈚🜔θⴱꭴတↄᴐͻ𐑋ꓛꬿ',
  p: '⍴ρⲣрꮲᑭꓑ𐊕ᒆᴩ',
  q: 'ԛգզⵕᶐ',
  r: 'ꭇꭈᴦⲅгꮁ𝈖ꭱꮢ𐓜ᖇꓣ𖼵ғґ',
  s: 'ƽѕꮪ𑣁𐑈տꮥꓢ𖼺𐊖',
  t: '⊤⟙🝨τⲧтꭲꓔ𖼊𑣜𐊗𐊱𐌕⍡ҭ₮ⴀꮏ',
  u: 'ꞟꭎꭒυս𐓶𑣘∪⋃ሀᑌꓴ𖽂ꮜᑧ℧ᘮᘴᵿ',
  v: '∨⋁νѵט𑜆ꮩ𑣀𝈍ⴸᐯꛟꓦ𖼈𐔝𐆗🜈',
  w: 'ɯѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦ꮤꓪѽ𑓅₩',
  x: '᙮×⤫⤬⨯хᕁᕽ᙭╳𐌢𑣬ꭓχⲭⵝᚷꓫ𐊐𐊴𐌗𐔧⨰ҳ𐆖',
  y: 'ꭚγуүყ𑣜υⲩꭹꮍꓬ𖽃𑣄𐊲ұ¥ꝫⳍӡჳ',
  z: 'ꮓ𑣄𐋵𑣥ζꓜ𑣉',
};

/** Further letters and symbols that stand for Latin letters in names. */
const drawn = {
  a: 'ɑ@∆₳ʌλ∧⋀дⲁ',
  b: 'в฿ⲃ',
  c: '¢©₵',
  d: 'δժ',
  e: '€эⲉ',
  f: 'ғ',
  h: 'н',
  i: 'їᏆ|!¡£',
  k: 'к',
  m: 'м',
  n: 'пηνπий₦',
  o: 'öө°●◉◎⊙⊕∅⌀○◯ф',
  p: '₱',
  r: '®яᖇ',
  s: '$₴§ᔕ',
  t: '+†₮₸',
  u: 'цυ',
  w: 'шщω',
  y: '¥',
  z: 'ⲍ',
};

/** Alphabets of "fancy text" generators, each from a to z. */
const fancyAlphabets = [
  '卂乃匚ᗪ乇千Ꮆ卄丨ﾌҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙',
  'ﾑ乃cd乇ｷgんﾉﾌズﾚﾶ刀oｱq尺丂ｲu√wﾒﾘ乙',
  'ᗩᗷᑕᗪEᖴGᕼIᒍKᒪᗰᑎOᑭᑫᖇᔕTᑌᐯᗯ᙭Yᘔ',
  'ค๒ς๔єŦﻮђเןкɭ๓ภ๏קợгรՇยשฬאץչ',
  'αɓ૮∂εƒɠɦเʝҡℓɱɳσρφ૨รƭµѵωאყƶ',
  'ǟɮƈɖɛʄɢɦɨʝӄʟʍռօքզʀֆȶʊʋաӼʏʐ',
  'ąცƈɖɛʄɠɧıʝƙƖɱŋơ℘զཞʂɬų۷ῳҳყʑ',
  'ᏗᏰፈᎴᏋᎦᎶᏂᎥᏠᏦᏝᎷᏁᎧᎮᎤᏒᏕᏖᏬᏉᏇጀᎩፚ',
  'ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ',
  'ꋫꃃꏸꁕꍟꄘꁍꑛꂑꀭꀗ꒒ꁒꁹꆂꉣꁸ꒓ꌚ꓅ꐇꏝꅐꇓꐟꁴ',
  'ልጌርዕቿቻኗዘጎጋጕረጠክዐየዒዪነፕሁሀሠሸሃጊ',
  '₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ',
];

const lettersBySign = (signs: Readonly<Record<string, string>>) =>
  new Map(Object.entries(signs).flatMap(([letter, some]) => Array.from(some, (sign) => [sign, letter])));

const latin = 'abcdefghijklmnopqrstuvwxyz';

/** The Latin letter that a character resembles, by the character after `foldText`. */
export const likeLatin = new Map<string, string>();

function add(sign: string, letter: string): void {
  const folded = foldText(sign);
  if (!/^[a-z0-9\s]*$/.test(folded)) likeLatin.set(folded, letter);
}
for (const [letter, signs] of [...Object.entries(confusables), ...Object.entries(drawn)])
  for (const sign of signs) add(sign, letter);
for (const alphabet of fancyAlphabets)
  for (const [index, sign] of Array.from(alphabet).entries()) add(sign, latin.charAt(index));

// Negative circled and squared letters, and regional indicators.
for (const first of [0x1f150, 0x1f170, 0x1f1e6])
  for (let index = 0; index < latin.length; index += 1)
    likeLatin.set(String.fromCodePoint(first + index), latin.charAt(index));

/** Letters upside down. `foldText` folds some of them to other letters. */
const turned = lettersBySign({
  ...{ a: 'ɐ∀', b: 'ꓭ', c: 'ɔƆ', e: 'ǝƎ', f: 'ɟℲⅎ', g: 'ƃ⅁', h: 'ɥ', i: 'ᴉ', j: 'ɾſ', k: 'ʞꓘ' },
  ...{ l: '⅂ꞁ', m: 'ɯ', p: 'Ԁ', r: 'ɹᴚ', t: 'ʇ⊥ꓕ', u: '∩', v: 'ʌ', w: 'ʍ', y: 'ʎ⅄' },
});
/** Latin letters that become another Latin letter upside down. */
const turnedOnKeyboard = lettersBySign({ u: 'n', n: 'u', p: 'd', d: 'p', q: 'b', b: 'q', m: 'W', w: 'M' });
/** Upside-down letters with their upright letter. Generators use ɬ and ∂ for other letters than the tables above. */
const upright = new Map([...turned, ['ɬ', 't'], ['∂', 'a']]);

/** All readings of a name: the name itself, with its upside-down letters replaced, and with the whole name rotated. */
export function readingsOf(name: string): string[] {
  const letters = Array.from(name);
  const plain = letters.map((letter) => upright.get(letter) ?? letter).join('');
  if (plain === name) return [name];
  const around = letters
    .toReversed()
    .map((letter) => turnedOnKeyboard.get(letter) ?? turned.get(letter) ?? letter);
  return [name, plain, around.join('')];
}
