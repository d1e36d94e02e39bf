import { artists } from './artists.ts';
import { coaches } from './coaches.ts';
import type { CreatorSeed } from './creator-seed.ts';
import { healers } from './healers.ts';
import { musicians } from './musicians.ts';
import { poets } from './poets.ts';
import { writers } from './writers.ts';

const niches = [writers, poets, coaches, musicians, artists, healers] as const;
const most = Math.max(...niches.map((list) => list.length));

/**
 * Everybody, the sample profile of the home page first. Niches take turns, so that also the first few, and each
 * page of the site's list, are a mixture.
 */
export const creators: readonly CreatorSeed[] = Array.from({ length: most }, (_, turn) =>
  niches.flatMap((list) => list[turn] ?? []),
).flat();
