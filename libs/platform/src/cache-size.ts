/**
 * Options of an `LRUCache` for at most `entries` entries that allocates as entries come. With the option `max` it
 * would allocate for all entries from the start, 30 bytes each.
 */
export const maxEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
