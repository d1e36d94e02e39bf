import { foldText } from './folded.ts';

const words = (list: string) => list.trim().split(/\s+/);

const site = words('stoa stoas');
/** What the people behind a site are called. A name that holds one of these, and nothing but the words beside them, passes for theirs. */
const roles = words(`
  admin admins administrator administrators administration sysadmin sysadmins superadmin superadmins superuser superusers
  moderator moderators moderation operator operators official officials staff staffs support supports helpdesk helpdesks helpline
  helpcenter helpcentre webmaster webmasters postmaster postmasters hostmaster hostmasters sysop sysops security
  customerservice customercare servicedesk trustandsafety trustsafety noreply donotreply mailerdaemon abuse
`);
/** The same, so short that other names fall into these letters. */
const shortRoles = words('root mod mods');
const beside = words(`
  the and my our your team teams help info account accounts billing payment payments payout payouts refund refunds trust safety
  service services system customer customers client clients tech technical live chat care desk center centre contact email mail
  user users bot hq crew online app web website site platform real verified global main chief head community legal press
  agent agents member members rep reps representative group dept department manager managers page channel inc it pay verify
`);

// What looks like a letter in the characters of a username.
const likeInUsernames: Readonly<Record<string, string>> = {
  ...{ a: 'a4', b: 'b8', e: 'e3', g: 'g9', i: 'il1', l: 'il1', o: 'o0', s: 's5', t: 't7' },
};
const pairs: Readonly<Record<string, string>> = { m: 'rn', w: 'vv' };

/** One letter of a word. In a name a sign that looks like a letter is written as its capital. */
function likeLetter(letter: string, hasSigns: boolean): string {
  const like = likeInUsernames[letter] ?? letter;
  const sign = letter === 'l' ? 'IL' : letter.toUpperCase();
  const one = hasSigns ? `[${like}${sign}]` : like.length > 1 ? `[${like}]` : like;
  const pair = pairs[letter];
  return pair === undefined ? one : `(?:${one}|${pair})`;
}
const solid = (word: string, hasSigns = false) =>
  Array.from(word, (letter) => likeLetter(letter, hasSigns)).join('');
const apart = (word: string, hasSigns = false) =>
  Array.from(word, (letter) => likeLetter(letter, hasSigns)).join('[-_]*');

/** The site as a word among others. */
function siteAmongOthers(separators: string, hasSigns: boolean): string {
  const names = site.map((word) => solid(word, hasSigns)).join('|');
  return `(?:.*[${separators}])?(?:${names})(?:[${separators}].*)?`;
}

const between = '[-_0-9]*';
const key = [
  ...[...site, ...roles].map((word) => apart(word)),
  ...shortRoles.map((word) => solid(word)),
].join('|');
const other = beside.map((word) => solid(word)).join('|');

/**
 * What of the letters, digits, hyphens and underscores of a username passes for the people behind the site, without anchors, in
 * words that JavaScript and Java (Keycloak) read alike: the site as a word among others, or a role alone or with the words beside it.
 * Only for the length of a username: digits that also spell a word (`807`) double the work with each of them.
 */
export const impersonation = [
  siteAmongOthers('-_0-9', false),
  `${between}(?:(?:${other})${between})*(?:${key})${between}(?:(?:${key}|${other})${between})*`,
].join('|');

// Letters of other scripts, and signs, that look like Latin letters: a small part of the table of Unicode TS 39, and wider
// than it, since a name is only compared with the few words above.
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ@ⲀᎪꓮ∂∆⍺₳',
    b: 'вьβⲂᏴꓐ฿',
    c: 'сϲⲤᏟꓚ¢©₵',
    d: 'ԁժᎠꓓδ',
    e: 'еєεҽⲈᎬꓰ€',
    f: 'ғϝꓝ',
    g: 'ցᏀꓖ',
    h: 'нһհⲎᎻꓧ',
    i: 'іїιӏіǀ|!¡ⲒꓲᏞꓡ£',
    j: 'јϳᎫꓙ',
    k: 'кκⲔᏦꓗ',
    m: 'мϻⲘᎷꓟ',
    n: 'пոηνⲚꓠ₦',
    o: 'оοօσөɵº°●◉◎⊙⊕∅⌀ⲞꓳᎾ○◯〇๐໐०০੦૦୦౦೦൦߀סه',
    p: 'рρⲢᏢꓑ₱',
    r: 'гᎡᏒꓣ®',
    s: 'ѕտ$₴§ᏚꓢᏕ',
    t: 'тτ+†₮₸ⲦᎢꓔ',
    u: 'υսцꓴ',
    v: 'ѵᏙꓦ',
    w: 'ԝшωաᎳᏔꓪ',
    x: 'хχ×ⲬꓫẊ',
    y: 'уүγყⲨᎩꓬ',
    z: 'ᏃꓜⲌ',
  }).flatMap(([letter, likes]) => [...likes].map((like) => [like.toLowerCase(), letter] as const)),
);

// White letters on black discs and squares, and those that flags are made of.
for (const first of [0x1f150, 0x1f170, 0x1f1e6])
  for (let letter = 0; letter < 26; letter += 1)
    lookAlikes.set(String.fromCodePoint(first + letter), String.fromCharCode(97 + letter));

/**
 * A name in the characters of a username. What is no letter or digit becomes a hyphen, or a capital where it looks like a
 * letter: it may stand for that letter or part two words. A letter that looks like none of Latin becomes a dot.
 */
function inUsernameCharacters(name: string): string {
  // Folded, these two are letters.
  return Array.from(foldText(name.replace(/[™℠]/g, '-')), (sign) => {
    const isLetter = /[\p{L}\p{N}]/u.test(sign);
    const like = lookAlikes.get(sign);
    if (like !== undefined) return isLetter ? like : like.toUpperCase();
    if (/[a-z0-9_-]/.test(sign)) return sign;
    return isLetter ? '.' : '-';
  }).join('');
}

const separator = /[-_0-9A-Z]/;
const siteName = new RegExp(`^(?:${siteAmongOthers('-_0-9A-Z', true)})$`);
const sticky = (pattern: string) => new RegExp(pattern, 'y');
const wordsOfNames = [
  ...[...site, ...roles].map((word) => ({ isKey: true, pattern: sticky(apart(word, true)) })),
  ...shortRoles.map((word) => ({ isKey: true, pattern: sticky(solid(word, true)) })),
  ...beside.map((word) => ({ isKey: false, pattern: sticky(solid(word, true)) })),
];

/**
 * Whether a text is made of these words and what parts them, with a role among them. It keeps which places can be reached,
 * with and without a role, where a pattern would try every way to read the digits.
 */
function isRole(text: string): boolean {
  const reached = { without: new Set([0]), withRole: new Set<number>() };
  const reach = (from: number, to: number, isKey: boolean) => {
    if (reached.without.has(from)) (isKey ? reached.withRole : reached.without).add(to);
    if (reached.withRole.has(from)) reached.withRole.add(to);
  };
  for (let at = 0; at < text.length; at += 1) {
    if (!reached.without.has(at) && !reached.withRole.has(at)) continue;
    if (separator.test(text.charAt(at))) reach(at, at + 1, false);
    for (const { isKey, pattern } of wordsOfNames) {
      pattern.lastIndex = at;
      if (pattern.test(text)) reach(at, pattern.lastIndex, isKey);
    }
  }
  return reached.withRole.has(text.length);
}

/** Whether a name would let somebody pass for the people behind the site: a username, or what somebody is called. */
export function isReservedName(name: string): boolean {
  const text = inUsernameCharacters(name);
  return siteName.test(text) || isRole(text);
}
