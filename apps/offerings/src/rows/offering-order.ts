import { hasEndedSql } from './workshop.ts';

const pinnedFirst = 'coalesce(id = pinned_id, false) DESC';
const byOrder = 'array_position(ids, id) NULLS FIRST';
const newestFirst = 'created_at DESC, id DESC';

/**
 * The creator's order, over `offering LEFT JOIN offering_order USING (creator_id)`: the pinned offering, then those that are
 * newer than the order, newest first, then the order. It does not change with time.
 */
export const creatorOrderSql = `${pinnedFirst}, ${byOrder}, ${newestFirst}`;

/**
 * The order of lists. Ended workshops come last, pinned or not, the latest one first. Among offerings that the order does not
 * contain, future workshops come first, the soonest first.
 */
export const displayOrderSql = `${hasEndedSql}, ${pinnedFirst}, ${byOrder},
  CASE WHEN type = 'Workshop' AND NOT ${hasEndedSql} THEN starts_at END NULLS LAST,
  CASE WHEN ${hasEndedSql} THEN starts_at END DESC NULLS LAST, ${newestFirst}`;
