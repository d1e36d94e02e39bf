// Kills each part at each step of an account's deletion, on a system of its own: `npm run stoa drill deletion`.
import { waitFor } from '@stoa/system';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Cell, parts, planCells, runCell, steps } from './cells.ts';
import { makeLeaver, receiptsTo } from '@stoa/e2e/leaver';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    step: { type: 'string', multiple: true },
    part: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const isWanted = ({ step, part }: Cell) =>
  (values.step?.includes(step) ?? true) && (values.part?.includes(part) ?? true);
const cells = planCells(seed).filter(isWanted);
const begun = performance.now();
const isOver = () => performance.now() - begun > Number(values.minutes) * 60_000;

let handedOverAgain = 0;
const outcomes = new Map<Cell, { flaws: readonly string[]; ms: number }>();
for (const cell of cells) {
  if (isOver()) break;
  // Tries again, because Keycloak or a service of the previous cell may not be back yet.
  const leaver = await waitFor(makeLeaver, { timeout: 180_000, interval: 500 });
  const since = performance.now();
  const flaws = await runCell(leaver, cell).catch((error: unknown) => [String(error)]);
  const ms = performance.now() - since;
  outcomes.set(cell, { flaws, ms });
  if (flaws.length === 0) handedOverAgain += (await receiptsTo(leaver)).length - 1;
  const result = flaws.length === 0 ? 'complete' : `WRONG: ${flaws.join('; ')}`;
  console.log(`${cell.step} × ${cell.part}: ${result} (${(ms / 1000).toFixed(1)} s)`);
}

const seconds = (step: string, part: string) => {
  const found = [...outcomes].find(([cell]) => cell.step === step && cell.part === part)?.[1];
  return found ? (found.flaws.length > 0 ? 'wrong' : (found.ms / 1000).toFixed(1)) : '–';
};
const row = (name: string, cells: readonly string[]) =>
  [name.padEnd(10), ...cells.map((text) => text.padStart(9))].join(' ');
const all = [...outcomes.values()];
const complete = all.filter(({ flaws }) => flaws.length === 0).length;
console.log(
  `\nSeed ${seed}: ${all.length} of ${cells.length} cells in ${((performance.now() - begun) / 60_000).toFixed(1)} min`,
);
console.log('Seconds from the request to the receipt, with nothing left, by step and part killed');
console.log(row('', parts));
for (const step of steps)
  console.log(
    row(
      step,
      parts.map((part) => seconds(step, part)),
    ),
  );
console.log(`Complete, with a right receipt and nothing left: ${complete} of ${all.length}`);
console.log(`Receipts handed over again under the same Message-ID: ${handedOverAgain}`);
process.exit(complete === cells.length ? 0 : 1);
