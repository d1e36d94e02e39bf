import { searchLines, searchWords } from '@stoa/contracts';

/**
 * The first character of each search text of this release; no other text contains it. A release that changes `searchLines`
 * uses one more. The sweeper then converts all texts without it.
 */
export const foldVersionMark = '\u001e';

/** Removes the mark at the beginning, of whichever release. */
export const withoutMark = (text: string): string => text.replaceAll('\u001e', '');

interface SearchedFields {
  readonly displayName: string;
  readonly bio: string;
  readonly niches: readonly string[];
}

/** The search text of a profile. A trigger in the database appends the titles of its offerings. */
export function searchText({ username, ...profile }: SearchedFields & { username: string }): string {
  const forms = new Set([username, username.replace(/[-_]+/g, ' ').trim(), username.replace(/[-_]+/g, '')]);
  return [profileText(profile), ...[...forms].map((form) => ` ${form}`)].join('\n');
}

/**
 * The part of the search text that an edit changes. The SQL of the edit appends the username in the same way as `searchText`.
 */
export function profileText({ displayName, bio, niches }: SearchedFields): string {
  return foldVersionMark + searchLines([displayName, bio, niches.join(' ')]);
}

export function titleText(title: string): string {
  return foldVersionMark + searchLines([title]);
}

/** Reads the title from the search text of a title, of whichever release. */
export function titleOf(text: string): string {
  const [title = ''] = withoutMark(text).split('\n');
  return title.trim();
}

export interface Search {
  /**
   * LIKE patterns for each word, longest word first. One pattern of each word must match. Characters such as `%` are escaped.
   */
  readonly words: readonly (readonly string[])[];
  /** Whether the query contains letters or digits, because the index contains nothing else. */
  readonly isIndexed: boolean;
}

/**
 * Parses a query. The index contains groups of three characters, so a shorter word matches only at the beginning of words.
 */
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
// One or two characters, or one letter before punctuation: the index finds these only at the beginning of a word.
const isShort = /^[\p{L}\p{N}](?:[\p{L}\p{N}]?$|[^\p{L}\p{N}]+$|[\p{L}\p{N}]? )/u;

function patternOf(form: string): string {
  const literal = form.replace(/[\\%_]/g, String.raw`\$&`);
  return `${isShort.test(form) ? '% ' : '%'}${literal}%`;
}
