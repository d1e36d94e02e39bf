import { foldText } from '@stoa/contracts';

/**
 * What a search looks through: one line a field, so that no match spans two of them, each after a blank, so that a blank
 * stands before every word. Words behind a sign have lines of their own once more.
 */
export function searchText(fields: { displayName: string; username: string; bio: string }): string {
  const { username } = fields;
  return `${nameAndBioText(fields)}\n ${username}\n ${username.replace(/[-_]+/g, '\n ')}`;
}

/** The part of it that changes with a profile; the database adds that of the username, in the same form. */
export function nameAndBioText({ displayName, bio }: { displayName: string; bio: string }): string {
  return linesOf([displayName, bio]);
}

/** The part of a title; the database puts those of all offerings behind the rest. */
export function titleText(title: string): string {
  return linesOf([title]);
}

function linesOf(texts: readonly string[]): string {
  const lines = texts.map(foldText);
  const behindSigns = lines.join('\n').match(/(?<=[^\p{L}\p{N}\s])[\p{L}\p{N}]+/gu);
  return [...lines, ...new Set(behindSigns)].map((line) => ` ${line}`).join('\n');
}

/** What to look for in a search text. */
export interface Search {
  /** For LIKE; % and _ of the query are themselves. */
  readonly pattern: string;
  /** Whether there are letters or digits, which the index knows the places of. */
  readonly isIndexed: boolean;
}

/** A query as it is looked for: one and two characters where words begin, more of them anywhere; `@name` is the name. */
export function searchFor(query: string): Search {
  const text = foldText(query).replace(/^@(?=[\p{L}\p{N}_])/u, '');
  const literal = text.replace(/[\\%_]/g, '\\$&');
  const isShort = [...text].length <= 2;
  return { pattern: isShort ? `% ${literal}%` : `%${literal}%`, isIndexed: /[\p{L}\p{N}]/u.test(text) };
}
