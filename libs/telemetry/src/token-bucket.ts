/**
 * Returns a rate limiter (token bucket): each call takes a token and returns whether there was one. It allows
 * `perSecond` calls on average, in bursts of one second's tokens, at least one. A rate of 0 or below allows
 * none.
 */
export function tokenBucket(perSecond: number): () => boolean {
  // The bucket must be able to hold a whole token.
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
