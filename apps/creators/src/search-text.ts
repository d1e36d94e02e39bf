/**
 * Text as search compares it: without case and accents, white space as single blanks. Both the stored text
 * and the query go through here, so that they always agree.
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** What a search looks through: one line a field, so that no match spans two of them. */
export function searchText(fields: { displayName: string; username: string; bio: string }): string {
  return [fields.displayName, fields.username, fields.bio].map(folded).join('\n');
}

/** The query as it stands in a LIKE pattern, % and _ being themselves: Prisma's `contains` leaves them as they are. */
export function literal(query: string): string {
  return folded(query).replace(/[\\%_]/g, '\\$&');
}
