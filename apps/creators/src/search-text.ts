import { folded } from '@stoa/contracts';

/** What a search looks through: one line a field, so that no match spans two of them. */
export function searchText(fields: { displayName: string; username: string; bio: string }): string {
  return [fields.displayName, fields.username, fields.bio].map(folded).join('\n');
}

/** The query as it stands in a LIKE pattern, % and _ being themselves: Prisma's `contains` leaves them as they are. */
export function literal(query: string): string {
  return folded(query).replace(/[\\%_]/g, '\\$&');
}
