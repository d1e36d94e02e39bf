import { hasEnded } from './workshop.ts';

const pinnedFirst = 'coalesce(id = pinned_id, false) DESC';
const byOrder = 'array_position(ids, id) NULLS FIRST';
const newestFirst = 'created_at DESC, id DESC';

/**
 * As a creator has ordered them, in terms of `offering LEFT JOIN offering_order USING (creator_id)`: the pinned one, then
 * what was made since, newest first, then the order. Without an order all are newest first. It does not change with time.
 */
export const creatorsOrder = `${pinnedFirst}, ${byOrder}, ${newestFirst}`;

/**
 * The same as lists show it. Workshops that have ended stand after all that can be bought, pinned or not, the last one
 * first. Of what no order names, workshops that are to come stand before the rest, the soonest first.
 */
export const shownOrder = `${hasEnded}, ${pinnedFirst}, ${byOrder},
  CASE WHEN type = 'Workshop' AND NOT ${hasEnded} THEN starts_at END NULLS LAST,
  CASE WHEN ${hasEnded} THEN starts_at END DESC NULLS LAST, ${newestFirst}`;
