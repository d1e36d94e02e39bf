import { type CopyCounts, copyObjects as copy } from '@stoa/system/operations/copy-objects';
import { Problem } from '@stoa/system/problem';
import { copyStores } from '@stoa/system/settings/copy-settings';
import { buckets } from '@stoa/system/settings/names';
import { parseArgs } from 'node:util';
import { describedParts } from './described-parts.ts';

/** Copies all objects to another store and verifies them. Returns 1 if the stores still differ. */
export async function copyObjects(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { from: text, to: text, after: text, delete: { type: 'boolean' } },
  });
  const { from, to, after, delete: removesExtra = false } = values;
  if (!to)
    throw new Problem(
      'Name the store to copy to, as in "npm run stoa -- copy-objects --to https://s3.example.com".',
    );
  const stores = copyStores({ from, to }, process.env, () => describedParts().minio);
  let reached = after;
  try {
    const copied = await copy({
      ...stores,
      buckets: Object.values(buckets),
      after,
      removesExtra,
      onFinding: (what) => console.log(what),
      onProgress: (sofar, upTo) => {
        reached = upTo;
        console.log(`${summaryOf(sofar)}; verified up to ${upTo}`);
      },
    });
    console.log(summaryOf(copied));
    return copied.different > 0 || (copied.extra > 0 && !removesExtra) ? 1 : 0;
  } catch (error) {
    if (reached) console.error(`Interrupted. Continue with: --after ${reached}`);
    throw error;
  }
}

const summaryOf = ({ same, copied, replaced, different, gone, extra }: CopyCounts) =>
  [
    `${same} unchanged, ${copied} copied, ${replaced} copied again, ${different} still differ`,
    `${gone} removed during the run, ${extra} only in the target`,
  ].join(', ');
