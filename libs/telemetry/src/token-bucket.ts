/**
 * Says of each call whether it is one of `perSecond` on the average: at once as many as a second brings, or one where that is
 * less. A rate of 0 or below allows none.
 */
export function tokenBucket(perSecond: number): () => boolean {
  // A bucket that holds less than one token never fills up to one.
  const capacity = perSecond > 0 ? Math.max(1, perSecond) : 0;
  let left = capacity;
  let filled = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(capacity, left + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
