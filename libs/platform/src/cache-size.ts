/**
 * Options of an `LRUCache` that holds `entries` of them at most and takes room as they come. Its `max` takes the room
 * of all at once, 30 bytes each, for as long as the process lives.
 */
export const maxEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
