const atOnce = 8;

/** Does `work` on all items, eight of them at a time, in the order in which they come. */
export async function forEach<T>(
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
