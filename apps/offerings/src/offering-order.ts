/**
 * As a creator has ordered them, in terms of `offering LEFT JOIN offering_order USING (creator_id)`: the pinned one, then
 * what was made since, newest first, then the order. Without an order all are newest first.
 */
export const creatorsOrder =
  'coalesce(id = pinned_id, false) DESC, array_position(ids, id) NULLS FIRST, created_at DESC, id DESC';
