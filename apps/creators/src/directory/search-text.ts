import { searchLines, searchWords } from '@stoa/contracts';

/**
 * The prefix of every text that this release has folded. No text and no query contains this character. A change of
 * `searchLines` adds one more: a new migration indexes the rows without it, and the sweeper folds them again.
 */
export const foldVersionMark = '\u001e';

/** Removes the mark of any release. */
export const withoutMark = (text: string): string => text.replaceAll('\u001e', '');

/** The profile fields that a search covers, besides the username. */
interface SearchedFields {
  readonly displayName: string;
  readonly bio: string;
  readonly niches: readonly string[];
}

/** The search text of a profile. A trigger appends the titles of its offerings. */
export function searchText({ username, ...profile }: SearchedFields & { username: string }): string {
  const forms = new Set([username, username.replace(/[-_]+/g, ' ').trim(), username.replace(/[-_]+/g, '')]);
  return [profileText(profile), ...[...forms].map((form) => ` ${form}`)].join('\n');
}

/** The part of the search text that an edit changes. The SQL of an edit appends the username as `searchText` does. */
export function profileText({ displayName, bio, niches }: SearchedFields): string {
  return foldVersionMark + searchLines([displayName, bio, niches.join(' ')]);
}

/** The search text of one title. */
export function titleText(title: string): string {
  return foldVersionMark + searchLines([title]);
}

/** The folded title in the search text of a title, whichever release wrote it. */
export function titleOf(text: string): string {
  const [title = ''] = withoutMark(text).split('\n');
  return title.trim();
}

/** A parsed query. */
export interface Search {
  /** LIKE patterns by word, the longest word first. One pattern of each word must match; % and _ of the query are escaped. */
  readonly words: readonly (readonly string[])[];
  /** Whether the query has letters or digits: the trigram index covers nothing else. */
  readonly isIndexed: boolean;
}

/** Parses a query. A word of one or two characters matches only at the beginning of words, as trigrams require. */
export function parseSearch(query: string): Search {
  const words = searchWords(query);
  return {
    words: words
      .map((forms) => forms.map(patternOf))
      .toSorted(([one = ''], [other = '']) => other.length - one.length),
    isIndexed: words.some(([form]) => hasLetters.test(form)),
  };
}

const hasLetters = /[\p{L}\p{N}]/u;
// A single letter before punctuation has a trigram only at the beginning of a word.
const isShort = /^[\p{L}\p{N}](?:[\p{L}\p{N}]?$|[^\p{L}\p{N}]+$|[\p{L}\p{N}]? )/u;

function patternOf(form: string): string {
  const literal = form.replace(/[\\%_]/g, String.raw`\$&`);
  return `${isShort.test(form) ? '% ' : '%'}${literal}%`;
}
