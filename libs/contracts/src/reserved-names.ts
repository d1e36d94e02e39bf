import { foldText } from './folded.ts';

const words = (list: string) => list.trim().split(/\s+/);

const site = words('stoa stoas');
/** What the people behind a site are called. A name that holds one of these, and nothing but the words beside them, passes for theirs. */
const roles = words(`
  admin admins administrator administrators administration sysadmin sysadmins superadmin superadmins superuser superusers
  moderator moderators moderation operator operators official officials staff staffs support supports helpdesk helpdesks helpline
  helpcenter helpcentre webmaster webmasters postmaster postmasters hostmaster hostmasters sysop sysops security
  customerservice customercare noreply donotreply mailerdaemon abuse
`);
/** The same, so short that other names fall into these letters. */
const shortRoles = words('root mod mods');
const beside = words(`
  the and my our your team teams help info account accounts billing payment payments payout payouts refund refunds trust safety
  service services system customer customers client clients tech technical live chat care desk center centre contact email mail
  user users bot hq crew online app web website site platform real verified global main chief head community legal press
`);

// What looks like a letter in the characters of a username.
const likeInUsernames: Readonly<Record<string, string>> = {
  ...{ a: '[a4]', b: '[b8]', e: '[e3]', g: '[g9]', i: '[il1]', l: '[il1]', o: '[o0]', s: '[s5]', t: '[t7]' },
  ...{ m: '(?:m|rn)', w: '(?:w|vv)' },
};
const lettersOf = (word: string) => Array.from(word, (letter) => likeInUsernames[letter] ?? letter);
const solid = (word: string) => lettersOf(word).join('');
const apart = (word: string) => lettersOf(word).join('[-_]*');

const between = '[-_0-9]*';
const key = [...[...site, ...roles].map(apart), ...shortRoles.map(solid)].join('|');
const other = beside.map(solid).join('|');

/**
 * What of the letters, digits, hyphens and underscores of a username passes for the people behind the site, without anchors, in
 * words that JavaScript and Java (Keycloak) read alike: the site as a word among others, or a role alone or with the words beside it.
 */
export const impersonation = [
  `(?:.*[-_0-9])?(?:${site.map(solid).join('|')})(?:[-_0-9].*)?`,
  `${between}(?:(?:${other})${between})*(?:${key})${between}(?:(?:${key}|${other})${between})*`,
].join('|');

const impersonates = new RegExp(`^(?:${impersonation})$`);

// Letters of other scripts, and signs, that look like Latin letters: a small part of the table of Unicode TS 39, and wider
// than it, since a name is only compared with the few words above.
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ@ⲀᎪꓮ∂',
    b: 'вьβⲂᏴꓐ',
    c: 'сϲⲤᏟꓚ¢©',
    d: 'ԁժᎠꓓ',
    e: 'еєεҽⲈᎬꓰ€',
    f: 'ғϝꓝ',
    g: 'ցᏀꓖ',
    h: 'нһհⲎᎻꓧ',
    i: 'іїιӏіǀ|!ⲒꓲᏞꓡ£',
    j: 'јϳᎫꓙ',
    k: 'кκⲔᏦꓗ',
    m: 'мϻⲘᎷꓟ',
    n: 'пոηⲚꓠ',
    o: 'оοօσº°ⲞꓳᎾ○◯〇๐໐०০੦૦୦౦೦൦߀סه',
    p: 'рρⲢᏢꓑ',
    r: 'гᎡᏒꓣ®',
    s: 'ѕտ$§ᏚꓢᏕ',
    t: 'тτ+†ⲦᎢꓔ',
    u: 'υսцꓴ',
    v: 'ѵᏙꓦ',
    w: 'ԝшωաᎳᏔꓪ',
    x: 'хχ×ⲬꓫẊ',
    y: 'уүγყⲨᎩꓬ',
    z: 'ᏃꓜⲌ',
  }).flatMap(([letter, likes]) => [...likes].map((like) => [like.toLowerCase(), letter] as const)),
);

/** A name in the characters of a username: what is no letter or digit as a hyphen, a letter that looks like none of Latin as a dot. */
function inUsernameCharacters(name: string): string {
  return Array.from(foldText(name), (sign) => {
    const like = lookAlikes.get(sign) ?? sign;
    if (/[a-z0-9_-]/.test(like)) return like;
    return /[\p{L}\p{N}]/u.test(like) ? '.' : '-';
  }).join('');
}

/** Whether a name would let somebody pass for the people behind the site: a username, or what somebody is called. */
export function isReservedName(name: string): boolean {
  return impersonates.test(inUsernameCharacters(name));
}
