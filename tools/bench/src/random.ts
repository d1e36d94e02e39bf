/** Pseudo-random numbers from 0 to 1 (mulberry32), the same in every run, so that runs are comparable. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables =
  'ba be bo da de di el en er fa fi ga go ha he il in ka ki la le li ma mi mo na ne no or pa po ra re ri ro sa se si ta te ti to un va vi wa ya za';

/** A vocabulary with words of two to eight letters and more. As in a language, common words are short. */
export function vocabulary(size: number, random: () => number): string[] {
  const parts = syllables.split(' ');
  const words = new Set<string>();
  while (words.size < size) {
    const length = 1 + Math.floor(Math.log(words.size + 1) / Math.log(25) + random() * 0.6);
    words.add(Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join(''));
  }
  return [...words];
}

/** Picks by Zipf's law: the first item is about as common as the second half together. */
export function byRank<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor((items.length + 1) ** random()) - 1] as T;
}
