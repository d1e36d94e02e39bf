const atOnce = 8;

/** Runs `work` for all items in their order, eight of them concurrently. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  async function* all() {
    yield* items;
  }
  const left = all();
  const lane = async () => {
    for (let next = await left.next(); !next.done; next = await left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
