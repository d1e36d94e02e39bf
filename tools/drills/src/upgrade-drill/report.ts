// Upgrades a running release to this one and back under load: `npm run stoa drill upgrade`.
import { inRepository, migrateAll } from '@stoa/system';
import { provision } from '@stoa/system/provision/provision';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CallRecord, type Call } from '../fault-drill/call-record.ts';
import { randomNumbers } from '../fault-drill/fault-plan.ts';
import { Ledger } from '../fault-drill/ledger.ts';
import { Load } from '../fault-drill/load.ts';
import { LoadBalancer } from '../fault-drill/load-balancer.ts';
import { DrillMails } from '../fault-drill/mails.ts';
import { failureLines, isGood, seconds } from '../fault-drill/summary.ts';
import { violationsOf } from '../fault-drill/violations.ts';
import { controlProcess } from '@stoa/e2e/process-control';
import { theSystem } from '@stoa/e2e/system';
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
// Sends a tenth of the requests before the drill. They do not count, because new processes run uncompiled
// code, and no rollout sends them this load.
const warmUp = Number(values.requests) / 10;
while (record.calls.length < warmUp) await pause(500);
const begun = record.calls.length;
printCalls('Just started, not counted below', record.calls);
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
    await mails.collect();
    await pause(500);
  }
  printCalls(`${name} (${seconds(lasted)})`, record.calls.slice(from));
}
await load.stop();
await readers.stop();
const violations = await violationsOf(record, ledger, mails, load, {
  findings: new Set(),
  letters: new Set(),
  events: new Set(),
});
violations.push(...releases.failedStops);
console.log(
  `Files requested at a gateway that did not serve their page: ${readers.requested}; missing: ${readers.missing.size}; refused by an unready gateway: ${readers.excused}`,
);
if (readers.requested === 0) violations.push('No file of a page was requested.');
violations.push(...readers.missing);
await releases.stop();
const calls = record.calls.slice(begun);
printCalls('All in all', calls);
const failed = calls.filter((call) => !isGood(call));
for (const line of failureLines({ calls })) console.log(line);
console.log(`Violated invariants: ${violations.length}`);
for (const violation of violations.slice(0, 50)) console.error(violation);
process.exit(failed.length > 0 || violations.length > 0 ? 1 : 0);

/** The set-up of this release, which runs before its apps start. */
async function bringUpToDate(): Promise<void> {
  const configuration = 'deploy/nats/nats.conf';
  copyFileSync(inRepository(configuration), join(former, configuration));
  await controlProcess('reload', 'nats');
  for (const set of Object.values(provision)) await set(theSystem());
  console.log(`Migrated: ${(await migrateAll(theSystem())).join(', ') || 'nothing'}`);
}

function printCalls(what: string, calls: readonly Call[]): void {
  const [slowest] = calls.toSorted((a, b) => b.ms - a.ms);
  const longest = slowest ? `, longest ${seconds(slowest.ms)} (${slowest.what}, ${slowest.status})` : '';
  const count = calls.filter((call) => !isGood(call)).length;
  console.log(`${what}: ${calls.length} requests, ${count} failed${longest}`);
}
