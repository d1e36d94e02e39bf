import { foldText } from './folded.ts';
import { likeLatin, readingsOf } from './look-alikes.ts';

const words = (list: string) => list.trim().split(/\s+/);

const site = words('stoa stoas');
/** Roles of a site's staff. A name is reserved if it consists of one of these and words of `beside`. */
const roles = words(`
  admin admins administrator administrators administration sysadmin sysadmins superadmin superadmins superuser superusers
  moderator moderators moderation operator operators official officials staff staffs support supports helpdesk helpdesks helpline
  helpcenter helpcentre webmaster webmasters postmaster postmasters hostmaster hostmasters sysop sysops security
  customerservice customercare servicedesk trustandsafety trustsafety noreply donotreply mailerdaemon abuse
`);
/** Short roles. They must stand as unbroken words, because other names contain the same letters with separators. */
const shortRoles = words('root mod mods');
/** Words that are reserved only alone, because many names contain them. */
const offices = words(`
  owner owners founder founders cofounder cofounders employee employees management manager managers service services
`);
const shortOffices = words('ceo info sales');
/** Roles with power over accounts. Any name with one of these as a separate word is reserved. */
const powers = words(`
  admin admins administrator administrators sysadmin sysadmins superadmin superadmins moderator moderators
`);
/** Departments of a site. A name is reserved if it combines them with a word of `groups`. */
const departments = words(`
  account accounts billing care chat client clients community contact customer customers email help info legal live management
  operations payment payments payout payouts press refund refunds safety sales service services system tech technical trust user
  users verification web
`);
const groups = words('team teams manager managers agent agents department departments dept desk crew staff');
const beside = words(`
  the and my our your team teams help info account accounts billing payment payments payout payouts refund refunds trust safety
  service services system customer customers client clients tech technical live chat care desk center centre contact email mail
  user users bot hq crew online app web website site platform real verified global main chief head community legal press
  agent agents member members rep reps representative group dept department manager managers page channel inc it pay verify
`);

// Characters of usernames that resemble a letter.
const likeInUsernames: Readonly<Record<string, string>> = {
  ...{ a: 'a4', b: 'b8', e: 'e3', g: 'g9', i: 'il1', l: 'il1', o: 'o0', s: 's5', t: 't7' },
};
const pairs: Readonly<Record<string, string>> = { m: 'rn', w: 'vv' };

/** The pattern for one letter. `inUsernameCharacters` writes a symbol that resembles a letter as its capital. */
function likeLetter(letter: string, hasSigns: boolean): string {
  const like = likeInUsernames[letter] ?? letter;
  const sign = letter === 'l' ? 'IL' : letter.toUpperCase();
  const one = hasSigns ? `[${like}${sign}]` : like.length > 1 ? `[${like}]` : like;
  const pair = pairs[letter];
  return pair === undefined ? one : `(?:${one}|${pair})`;
}
// Digits alone are a number, although they resemble a word (5704 and "stoa").
const noNumber = (word: string) => (/[^abegilost]/.test(word) ? '' : `(?!(?:[0-9][-_]*){${word.length}})`);
const solid = (word: string, hasSigns = false) =>
  noNumber(word) + Array.from(word, (letter) => likeLetter(letter, hasSigns)).join('');
const apart = (word: string, hasSigns = false) =>
  noNumber(word) + Array.from(word, (letter) => likeLetter(letter, hasSigns)).join('[-_]*');

const anyOf = (some: readonly string[], hasSigns: boolean) =>
  some.map((word) => solid(word, hasSigns)).join('|');

/** Patterns for: the site or a power as a separate word, an office alone, a department with its group. */
function reservedPatterns(separators: string, hasSigns: boolean): string[] {
  const between = `[${separators}]*`;
  const article = `(?:(?:${anyOf(['the', 'our', 'my', 'your'], hasSigns)})${between})?`;
  const office = [...offices.map((word) => apart(word, hasSigns)), anyOf(shortOffices, hasSigns)].join('|');
  return [
    `(?:.*[${separators}])?(?:${anyOf([...site, ...powers], hasSigns)})(?:[${separators}].*)?`,
    `${between}${article}(?:${office})${between}`,
    // At most three departments, because each one multiplies the ways to match.
    `${between}${article}(?:(?:${anyOf(departments, hasSigns)})${between}){1,3}(?:${anyOf(groups, hasSigns)})${between}`,
  ];
}

const between = '[-_0-9]*';
const key = [
  ...[...site, ...roles].map((word) => apart(word)),
  ...shortRoles.map((word) => solid(word)),
].join('|');
const other = beside.map((word) => solid(word)).join('|');

/**
 * Matches usernames that impersonate the site's staff, without anchors and in syntax that JavaScript and Java (Keycloak)
 * share. Only for the length of a username: each ambiguous digit (`807`) doubles the work.
 */
export const impersonation = [
  ...reservedPatterns('-_0-9', false),
  `${between}(?:(?:${other})${between})*(?:${key})${between}(?:(?:${key}|${other})${between})*`,
].join('|');

/**
 * Transcribes a name to the characters of a username. A symbol becomes a hyphen, or the capital of the letter that it
 * resembles, because it may stand for the letter or separate words. A letter without a Latin resemblance becomes a dot.
 */
function inUsernameCharacters(name: string): string {
  // Replaces ™ and ℠ first, which `foldText` would turn into letters.
  return Array.from(foldText(name.replace(/[™℠]/g, '-')), (sign) => {
    const isLetter = /[\p{L}\p{N}]/u.test(sign);
    const like = likeLatin.get(sign);
    if (like !== undefined) return isLetter ? like : like.toUpperCase();
    if (/[a-z0-9_-]/.test(sign)) return sign;
    return isLetter ? '.' : '-';
  }).join('');
}

const separator = /[-_0-9A-Z]/;
const reservedName = new RegExp(`^(?:${reservedPatterns('-_0-9A-Z', true).join('|')})$`);
const sticky = (pattern: string) => new RegExp(pattern, 'y');
const wordsOfNames = [
  ...[...site, ...roles].map((word) => ({ isKey: true, pattern: sticky(apart(word, true)) })),
  ...shortRoles.map((word) => ({ isKey: true, pattern: sticky(solid(word, true)) })),
  ...beside.map((word) => ({ isKey: false, pattern: sticky(solid(word, true)) })),
];

/**
 * Whether a text consists of listed words and separators, with at least one role. It tracks the reachable positions with
 * and without a role in linear time; a regular expression would try all readings of the digits.
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

/** Whether a username or a display name impersonates the site's staff. */
export function isReservedName(name: string): boolean {
  return readingsOf(name).some((reading) => {
    const text = inUsernameCharacters(reading);
    return reservedName.test(text) || isRole(text);
  });
}
