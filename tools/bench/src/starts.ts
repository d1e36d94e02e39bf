import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, apps, type System, waitFor } from '@stoa/system';
import { partNames } from '@stoa/system/settings/names';
import { healthPort } from '@stoa/system/settings/ports';
import { cpuTimes } from './cpu-time.ts';
import { median } from './load.ts';

const kills = 3;
/** Idle time before the memory is read. */
const restMs = 20_000;
/** Idle time after that, over which the CPU time is measured. */
const idleMs = 120_000;
const pollMs = 10;

/** A start of an app while everything else runs. Times are in milliseconds. */
interface Start {
  /** From the kill to the first successful answer, including the supervisor's delay. */
  readonly back: number;
  /** From the start of the process to the first successful answer. */
  readonly ready: number;
}

/** Kills each app in turn. Prints how soon it is ready again, and the memory and CPU time of each process when idle. */
export async function measureStarts(system: System): Promise<void> {
  const started = new Map<App, Start[]>();
  for (const app of apps) {
    const starts: Start[] = [];
    // One at a time: on two cores concurrent starts would affect each other.
    for (let kill = 0; kill < kills; kill += 1) starts.push(await killOnce(system, app));
    started.set(app, starts);
  }
  await pause(restMs);
  console.log(
    '\n| app | ready after its start (spread) | back after the first kill | resident |\n|---|---|---|---|',
  );
  for (const [app, starts] of started) {
    const times = starts.map(({ ready }) => ready);
    const spread = `${seconds(Math.min(...times))}–${seconds(Math.max(...times))}`;
    const back = seconds(starts[0]?.back ?? Number.NaN);
    const resident = `${residentMegabytes(system.pidOf(app)).toFixed(0)} MB`;
    console.log(`| ${app} | ${seconds(median(times))} s (${spread}) | ${back} s | ${resident} |`);
  }
  await measureRest(system);
}

/** Prints the share of a core that each process takes when idle. */
async function measureRest(system: Pick<System, 'pidOf'>): Promise<void> {
  const [since, before] = [performance.now(), cpuTimes()];
  await pause(idleMs);
  const [ms, after] = [performance.now() - since, cpuTimes()];
  const shares = [...apps, ...partNames].map((name): [string, number] => {
    const pid = system.pidOf(name) ?? 0;
    return [name, (((after.get(pid) ?? 0) - (before.get(pid) ?? 0)) / ms) * 100];
  });
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  console.log(`\nAt rest: ${all.toFixed(2)} % of a core`);
  console.log(shares.map(([name, share]) => `${name} ${share.toFixed(2)} %`).join(', '));
}

/** Kills an app and waits until it is ready again, with empty caches. */
export async function killOnce(system: System, app: App): Promise<Start> {
  const ready = `http://127.0.0.1:${healthPort(system.ports, app)}/health/ready`;
  const before = system.pidOf(app);
  const killed = performance.now();
  system.signal(app, 'SIGKILL');
  const often = { interval: pollMs, timeout: 60_000 };
  await waitFor(() => {
    if (system.pidOf(app) === before) throw new Error(`${app} has not been restarted.`);
  }, often);
  const spawned = performance.now();
  await waitFor(async () => {
    const answer = await fetch(ready);
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${app} is not ready.`);
  }, often);
  const answered = performance.now();
  return { back: answered - killed, ready: answered - spawned };
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
