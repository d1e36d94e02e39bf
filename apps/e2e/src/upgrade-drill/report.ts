// Replaces a running release by this one, and goes back, while people use it: `npm run stoa drill upgrade`.
import { inRepository, migrateAll } from '@stoa/system';
import { provision } from '@stoa/system/provision/provision';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CallRecord, type Call } from '../fault-drill/call-record.ts';
import { randomNumbers } from '../fault-drill/fault-plan.ts';
import { Ledger } from '../fault-drill/ledger.ts';
import { Load } from '../fault-drill/load.ts';
import { LoadBalancer } from '../fault-drill/load-balancer.ts';
import { DrillMails } from '../fault-drill/mails.ts';
import { failures, isGood, seconds } from '../fault-drill/summary.ts';
import { violationsOf } from '../fault-drill/violations.ts';
import { pidOf } from '../process-control.ts';
import { theSystem } from '../system.ts';
import { MixedReaders } from './mixed-readers.ts';
import { Releases } from './releases.ts';

const { values } = parseArgs({
  options: {
    /** The folder of the former release. */
    release: { type: 'string', default: '' },
    rate: { type: 'string', default: '100' },
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
});
const former = values.release;
const creators = 8;

const releases = await Releases.start(former);
const record = new CallRecord(new LoadBalancer(releases.gateways));
const ledger = new Ledger();
const mails = new DrillMails();
const load = await Load.open(creators, record, ledger, randomNumbers(Number(values.seed)));
load.start(Number(values.rate));
const readers = new MixedReaders(releases.gateways);
readers.start();
// Twelve processes that have just started run code that is not compiled yet, which no rollout meets and none has caused.
const warmUp = Number(values.requests) / 10;
while (record.calls.length < warmUp) await pause(500);
const begun = record.calls.length;
tell('Just started, not counted below', record.calls);
const phases: [name: string, work: () => Promise<void>][] = [
  ['the former release', () => Promise.resolve()],
  ['set-up and migrations of this one', bringUpToDate],
  ['to this release', () => releases.replace(inRepository())],
  ['back to the former one on the new schema', () => releases.replace(former)],
  ['to this release again', () => releases.replace(inRepository())],
];
for (const [index, [name, work]] of phases.entries()) {
  const [from, since] = [record.calls.length, performance.now()];
  await work();
  const lasted = performance.now() - since;
  while (record.calls.length - begun < (Number(values.requests) * (index + 1)) / phases.length) {
    await mails.look();
    await pause(500);
  }
  tell(`${name} (${seconds(lasted)})`, record.calls.slice(from));
}
await load.stop();
await readers.stop();
const violations = await violationsOf(record, ledger, mails, load, {
  findings: new Set(),
  letters: new Set(),
  events: new Set(),
});
violations.push(...releases.badEnds);
console.log(
  `Files of pages at the gateway that their page is not from: ${readers.asked}, not there ${readers.missing.size}; refused by a gateway that was not ready ${readers.excused}`,
);
// A release from before releases kept their files for each other can do nothing about it.
if (existsSync(join(former, 'apps/gateway/dist/pages/asset-archive.js'))) {
  if (readers.asked === 0) violations.push('No file of a page was asked for.');
  violations.push(...readers.missing);
} else console.log('The former release keeps none for others: what was not there does not count.');
await releases.stop();
const calls = record.calls.slice(begun);
tell('All in all', calls);
const failed = calls.filter((call) => !isGood(call));
for (const line of failures({ calls })) console.log(line);
console.log(`Violated invariants: ${violations.length}`);
for (const violation of violations.slice(0, 50)) console.error(violation);
process.exit(failed.length > 0 || violations.length > 0 ? 1 : 0);

/** What the set-up of this release does before any app of it starts. */
async function bringUpToDate(): Promise<void> {
  const configuration = 'deploy/nats/nats.conf';
  copyFileSync(inRepository(configuration), join(former, configuration));
  process.kill((await pidOf('nats')) ?? 0, 'SIGHUP');
  for (const set of Object.values(provision)) await set(theSystem());
  console.log(`Migrated: ${(await migrateAll(theSystem())).join(', ') || 'nothing'}`);
}

function tell(what: string, calls: readonly Call[]): void {
  const [slowest] = calls.toSorted((a, b) => b.ms - a.ms);
  const longest = slowest ? `, longest ${seconds(slowest.ms)} (${slowest.what}, ${slowest.status})` : '';
  const count = calls.filter((call) => !isGood(call)).length;
  console.log(`${what}: ${calls.length} requests, ${count} failed${longest}`);
}
