const firstPauseMs = 2_000;
const longestPauseMs = 600_000;

/** Retries a failed import after growing pauses, or as soon as the network returns. */
export async function retryWithBackoff<T>(load: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 4) {
    try {
      return await load();
    } catch (error) {
      if (pauseMs > longestPauseMs) throw error;
      console.error(error);
    }
    await new Promise((resolve) => {
      addEventListener('online', resolve, { once: true });
      if (navigator.onLine) setTimeout(resolve, pauseMs);
    });
  }
}
