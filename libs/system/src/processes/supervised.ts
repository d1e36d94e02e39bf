import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './process-identity.mjs';
import { diskFull, Problem } from '../problem.ts';
import { trackedProcesses } from './tracked-processes.ts';
import type { LogFile } from './log-file.ts';
import { signalGroup } from './process-groups.ts';

/** How a process is started, checked and stopped. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  stopSignal?: NodeJS.Signals;
  graceMs?: number;
  ready: () => Promise<boolean>;
  readyWithinMs?: number;
  /** A process whose `check` fails for `withinMs` counts as frozen. It is killed and restarted. */
  liveness?: { check: () => Promise<boolean>; withinMs: number };
  onLine?: (line: string) => void;
}

export interface SupervisedOptions {
  spec: ProcessSpec;
  log: LogFile;
  say: (line: string) => void;
}

interface Life {
  child: ChildProcess;
  since: number;
  ended: Promise<string>;
}

/**
 * Milliseconds of running that take one restart off the count. The count determines the delay of the next
 * restart.
 */
const forgetMs = 20_000;

const betweenChecksMs = 1000;

const ordinal = (n: number) =>
  `${n}${{ 1: 'st', 2: 'nd', 3: 'rd' }[n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`;

/** A process that is restarted whenever it ends, until `stop` is called. */
export class Supervised {
  readonly name: string;
  readonly #options: SupervisedOptions;
  #life: Life | undefined;
  #stopping = false;
  #restarts = 0;
  #pause = new AbortController();

  constructor(options: SupervisedOptions) {
    this.name = options.spec.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#life?.child.pid;
  }

  /** Starts the process and waits until it is ready. A process that ends before that is not restarted. */
  async start(): Promise<void> {
    const life = this.#spawn();
    const died = await Promise.race([life.ended, this.#becomesReady(life)]);
    if (died === undefined) {
      void life.ended.then((reason) => this.#onEnd(life, reason));
      void this.#watch(life);
      return;
    }
    const { log } = this.#options;
    const tail = log.tail();
    await this.stop();
    throw (
      diskFull(undefined, tail) ??
      new Problem(`${this.name} ${died}. Its log (${log.path}) ends with:\n${tail}`)
    );
  }

  /** Sends the stop signal, and kills the process group after the grace period. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pause.abort();
    const { spec, log } = this.#options;
    const life = this.#life;
    if (life?.child.pid !== undefined && life.child.exitCode === null && life.child.signalCode === null) {
      // Signals only the group leader, which stops its children. The rest of the group is killed afterwards.
      life.child.kill(spec.stopSignal ?? 'SIGTERM');
      const late = new AbortController();
      const grace = sleep(spec.graceMs ?? 15_000, 'late', { signal: late.signal }).catch(() => 'ended');
      if ((await Promise.race([life.ended, grace])) === 'late') signalGroup(life.child.pid, 'SIGKILL');
      late.abort();
      await life.ended;
    }
    this.#life = undefined;
    log.close();
  }

  #spawn(): Life {
    const { spec, log } = this.#options;
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      ...spec.user,
      // Gives the process a group of its own, so that Ctrl-C does not reach it: the supervisor stops
      // processes in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const onLine = (line: string) => {
      log.write(line);
      spec.onLine?.(line);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
    if (child.pid !== undefined) {
      const stopSignal = spec.stopSignal ?? 'SIGTERM';
      trackedProcesses().add({
        name: this.name,
        pid: child.pid,
        startTime: startTimeOf(child.pid),
        stopSignal,
      });
    }
    // The last lines arrive after the exit; they explain a failed start.
    const closed = once(child, 'close').catch(() => undefined);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`cannot be run (${error.message})`));
      child.once('exit', (code, signal) => resolve(`stopped (${signal ?? `exit code ${code}`})`));
    }).then(async (reason) => {
      if (child.pid !== undefined) {
        // A killed leader may leave processes of its group that still occupy the port.
        signalGroup(child.pid, 'SIGKILL');
        trackedProcesses().drop(child.pid);
        await Promise.race([closed, sleep(500)]);
      }
      return reason;
    });
    this.#life = { child, since: Date.now(), ended };
    return this.#life;
  }

  /** Returns undefined once the process is ready, otherwise the reason why it is not. */
  async #becomesReady(life: Life): Promise<string | undefined> {
    const { spec } = this.#options;
    const limit = spec.readyWithinMs ?? 60_000;
    while (Date.now() - life.since < limit) {
      if (await spec.ready().catch(() => false)) return undefined;
      if (this.#stopping) return 'was stopped';
      await sleep(60);
    }
    return `was not ready within ${limit / 1000} s`;
  }

  /** Kills a process that has not answered for too long; a frozen process does not handle SIGTERM. */
  async #watch(life: Life): Promise<void> {
    const { spec, say } = this.#options;
    if (!spec.liveness) return;
    const { check, withinMs } = spec.liveness;
    const ended = new AbortController();
    void life.ended.then(() => ended.abort());
    let answeredAt = performance.now();
    while (!ended.signal.aborted && !this.#stopping) {
      const before = performance.now();
      await sleep(betweenChecksMs, undefined, { signal: ended.signal }).catch(() => undefined);
      const isAlive = await check().catch(() => false);
      const now = performance.now();
      // If this timer is late, this process was suspended too, for instance with the whole machine.
      const wasAway = now - before > withinMs;
      if (isAlive || wasAway) answeredAt = now;
      if (now - answeredAt < withinMs || ended.signal.aborted || this.#stopping) continue;
      say(`${this.name} has not answered for ${withinMs / 1000} s and is killed`);
      if (life.child.pid !== undefined) signalGroup(life.child.pid, 'SIGKILL');
      return;
    }
  }

  async #onEnd(life: Life, reason: string): Promise<void> {
    if (this.#stopping) return;
    const { say } = this.#options;
    const forgotten = Math.floor((Date.now() - life.since) / forgetMs);
    this.#restarts = Math.max(0, this.#restarts - forgotten) + 1;
    const delay = this.#restarts === 1 ? 0 : Math.min(30_000, 500 * 2 ** (this.#restarts - 2));
    const when = delay === 0 ? 'immediately' : `in ${delay / 1000} s`;
    say(`${this.name} ${reason}, restarting ${when} (${ordinal(this.#restarts)} time)`);
    await sleep(delay, undefined, { signal: this.#pause.signal }).catch(() => undefined);
    if (this.#stopping) return;
    const next = this.#spawn();
    void next.ended.then((why) => this.#onEnd(next, why));
    const wrong = await Promise.race([next.ended, this.#becomesReady(next)]);
    if (this.#stopping) return;
    void this.#watch(next);
    if (wrong === undefined) say(`${this.name} runs again`);
    else if (wrong.startsWith('was not')) say(`${this.name} ${wrong}; see its log`);
  }
}
