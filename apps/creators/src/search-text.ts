import { searchLines, searchWords } from '@stoa/contracts';

/**
 * Begins every text that was folded as now, and is no sign of a text or a query. Where `searchLines` changes, one more of it says so: a
 * new migration makes indexes of the rows without it, and the sweeper folds them again.
 */
export const foldedMark = '\u001e';

/** What a search knows of a profile. */
interface Searched {
  readonly displayName: string;
  readonly bio: string;
  readonly niches: readonly string[];
}

/** What a search looks through, but for the titles of offerings, which the database adds. */
export function searchText({ username, ...profile }: Searched & { username: string }): string {
  const forms = new Set([username, username.replace(/[-_]+/g, ' ').trim(), username.replace(/[-_]+/g, '')]);
  return [profileText(profile), ...[...forms].map((form) => ` ${form}`)].join('\n');
}

/** The part of it that changes with a profile; the statement of an edit adds that of the username, in the same form. */
export function profileText({ displayName, bio, niches }: Searched): string {
  return foldedMark + searchLines([displayName, bio, niches.join(' ')]);
}

/** The part of a title; the database puts those of all offerings behind the rest. */
export function titleText(title: string): string {
  return foldedMark + searchLines([title]);
}

/** The title again, as it was folded, of such a part from whichever release. */
export function titleOf(text: string): string {
  const [title = ''] = text.replaceAll(foldedMark, '').split('\n');
  return title.trim();
}

/** What to look for in a search text. */
export interface Search {
  /** For LIKE, a list for each word of which one is to match, the longest word first; % and _ of the query are themselves. */
  readonly words: readonly (readonly string[])[];
  /** Whether there are letters or digits, which the index knows the places of. */
  readonly isIndexed: boolean;
}

/** A query as it is looked for: a word of one or two characters where words begin, as the index knows it, a longer one anywhere. */
export function searchFor(query: string): Search {
  const words = searchWords(query);
  return {
    words: words
      .map((forms) => forms.map(patternOf))
      .toSorted(([one = ''], [other = '']) => other.length - one.length),
    isIndexed: words.some(([form]) => hasLetters.test(form)),
  };
}

const hasLetters = /[\p{L}\p{N}]/u;
// Of a single letter before signs the index knows only where it begins a word.
const isShort = /^[\p{L}\p{N}](?:[\p{L}\p{N}]?$|[^\p{L}\p{N}]+$|[\p{L}\p{N}]? )/u;

function patternOf(form: string): string {
  const literal = form.replace(/[\\%_]/g, String.raw`\$&`);
  return `${isShort.test(form) ? '% ' : '%'}${literal}%`;
}
