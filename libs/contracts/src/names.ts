const words = (list: string) => list.trim().split(/\s+/);

/** Names that no account may impersonate, alone or with the words beside them. */
const site = 'stoa';
const roles = words(`
  admin administrator moderator moderators official officials operator root support staff webmaster postmaster
  helpdesk security
`);
const beside = words(
  'team the help info account accounts billing payment payments trust safety service system and',
);

// Letters of Cyrillic, Greek and Armenian, and signs, that look like Latin ones: a small part of the table of Unicode
// TS 39, and wider than it, since a name is only compared with the few words above. Both sides go through it.
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аαɑ4@',
    b: 'вʙьβ8',
    c: 'сϲ',
    d: 'ԁժ',
    e: 'еєεҽ3',
    f: 'ғϝ',
    g: 'ɡց9',
    h: 'нһհ',
    i: 'іїιıӏlɩі1|!ǀ',
    j: 'јϳ',
    k: 'кκ',
    m: 'мϻ',
    n: 'пոην',
    o: 'оοօσ0º°',
    p: 'рρ',
    r: 'гɾ',
    s: 'ѕꜱտ5$',
    t: 'тτ7+',
    u: 'υսц',
    v: 'ѵ',
    w: 'ԝшωա',
    x: 'хχ×',
    y: 'уүγყ',
  }).flatMap(([letter, likes]) => [...likes].map((like) => [like, letter])),
);

/** What a name looks like: equal skeletons can be taken for each other. */
function skeleton(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const latin = Array.from(plain, (letter) => lookAlikes[letter] ?? letter).join('');
  return latin.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const oneOf = (list: readonly string[]) => `(?:${list.map(skeleton).join('|')})`;
const any = `${oneOf([site, ...roles, ...beside])}*`;
// 'Stoa Support', 'S.t.o.a' and 'Admin team', but neither 'Stoakes' nor 'Team Rocket'.
const siteAmongWords = new RegExp(`(?:^|\\P{L})${skeleton(site)}(?:$|\\P{L})`, 'u');
const nothingElse = new RegExp(`^${any}${oneOf([site, ...roles])}${any}$`, 'u');

/** Whether a name would let somebody pass for the people behind the site. */
export function isReservedName(name: string): boolean {
  const looks = skeleton(name);
  return siteAmongWords.test(looks) || nothingElse.test(looks.replace(/[^\p{L}]/gu, ''));
}

const lookAlikeScripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
);

/** Whether one word is spelt with letters of several scripts that share their shapes. */
export function mixesScripts(name: string): boolean {
  const spelt = name.split(/[^\p{L}\p{M}]+/u);
  return spelt.some((word) => lookAlikeScripts.filter((script) => script.test(word)).length > 1);
}

/** What says that a name begins with a mark, which would land on the letter before it. */
export function leadingMark(name: string): string | undefined {
  const [mark] = /^\p{M}/u.exec(name) ?? [];
  if (mark === undefined) return undefined;
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Begins with U+${code}, a mark that belongs behind a letter.`;
}
