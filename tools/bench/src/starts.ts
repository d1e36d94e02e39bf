import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, apps, type System, waitFor } from '@stoa/system';
import { healthPort } from '@stoa/system/settings/ports';
import { median } from './load.ts';

/** How often each app is killed. */
const kills = 3;
/** How long they are left alone before their memory is read. */
const restMs = 20_000;
const pollMs = 10;

/** One start of an app while everything else runs, in milliseconds. */
interface Start {
  /** From the kill to the first good answer, the supervisor's pause included. */
  readonly back: number;
  /** From the start of the process to the first good answer. */
  readonly ready: number;
}

/** Kills each app in turn and prints how soon it is ready again, and what memory each holds at rest. */
export async function measureStarts(system: System): Promise<void> {
  const started = new Map<App, Start[]>();
  for (const app of apps) {
    const starts: Start[] = [];
    // One at a time: on two cores they would time each other.
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
}

/** Kills an app and waits until it is ready again, with nothing in its memory. */
export async function killOnce(system: System, app: App): Promise<Start> {
  const ready = `http://127.0.0.1:${healthPort(system.ports, app)}/health/ready`;
  const before = system.pidOf(app);
  const killed = performance.now();
  system.signal(app, 'SIGKILL');
  const often = { interval: pollMs, timeout: 60_000 };
  await waitFor(() => {
    if (system.pidOf(app) === before) throw new Error(`${app} has not been started again.`);
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
