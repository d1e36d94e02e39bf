import { reconcile as findings } from '@stoa/system/operations/reconcile';
import { parseArgs } from 'node:util';
import { describedParts } from './described-parts.ts';

/**
 * Prints differences between buckets, databases and counts, and repairs them on request. Returns 1 if some
 * remain.
 */
export async function reconcile(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  let left = 0;
  for (const { kind, what, repair } of await findings(describedParts())) {
    const mends = values.repair && repair;
    if (mends) await mends();
    else left += 1;
    console.log(`${kind.padEnd(8)} ${what}${mends ? ': repaired' : ''}`);
  }
  if (left === 0) console.log('Buckets, databases and counts agree.');
  return left === 0 ? 0 : 1;
}
