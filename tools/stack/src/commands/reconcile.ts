import { reconcile as findings } from '@stoa/system/operations/reconcile';
import { parseArgs } from 'node:util';
import { describedParts } from './described-parts.ts';

/** Tells what buckets and databases do not agree about, and mends what can be mended; 1 when something is left. */
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
