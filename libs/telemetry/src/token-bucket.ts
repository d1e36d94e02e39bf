/** Says of each call whether it is one of at most `perSecond`; what one second leaves over is there in the next. */
export function tokenBucket(perSecond: number): () => boolean {
  let left = perSecond;
  let filled = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(perSecond, left + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
