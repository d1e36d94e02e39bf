// Kills, hangs and restarts the parts of a system of its own under load: `npm run stoa drill faults`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { drillFaults } from './drill.ts';
import { goalLine } from './goals.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    faults: { type: 'string' },
    minutes: { type: 'string' },
    every: { type: 'string', default: '3' },
    rate: { type: 'string', default: '50' },
    'full-disks': { type: 'boolean', default: false },
    'bad-wires': { type: 'boolean', default: false },
    'shared-wires': { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const everyMs = Number(values.every) * 1000;
const faults = Math.round(Number(values.faults ?? (Number(values.minutes ?? 2) * 60_000) / everyMs));
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`Seed ${seed}`);
const { violations, summary, goals } = await drillFaults({
  seed,
  faults,
  everyMs,
  perSecond: Number(values.rate),
  fullDisks: values['full-disks'],
  wires: values['bad-wires'] || values['shared-wires'],
});
console.log(summary);
console.log('Goals');
for (const goal of goals) console.log(goalLine(goal));
console.log(`Violated invariants: ${violations.length}`);
for (const violation of violations.slice(0, 50)) console.error(violation);
const missed = goals.filter(({ met }) => !met);
if (missed.length > 0)
  console.log(
    `${missed.length} goals are missed${values.strict ? '' : ', which fails nothing without --strict'}`,
  );
process.exit(violations.length > 0 || (values.strict && missed.length > 0) ? 1 : 0);
