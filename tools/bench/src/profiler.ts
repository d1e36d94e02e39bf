import { once } from 'node:events';
import { waitFor } from '@stoa/system';

/** A CPU profile in the format of DevTools and speedscope. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The running node, sampled about every millisecond. */
  readonly samples: readonly number[];
}

/** Starts to record the CPU profile of a process through its inspector at `port`. */
export async function startProfiler(port: number): Promise<{ stop(): Promise<CpuProfile> }> {
  const url = await waitFor(
    async () => {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string;
      }[];
      const [target] = targets;
      if (!target) throw new Error('The process has no inspector.');
      return target.webSocketDebuggerUrl;
    },
    { timeout: 10_000 },
  );
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let last = 0;
  const send = async (method: string): Promise<unknown> => {
    const id = (last += 1);
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [event] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(event.data) as { id?: number; result?: unknown };
      if (answer.id === id) return answer.result;
    }
  };
  await send('Profiler.enable');
  await send('Profiler.start');
  return {
    async stop() {
      const { profile } = (await send('Profiler.stop')) as { profile: CpuProfile };
      socket.close();
      return profile;
    },
  };
}

/**
 * The share of busy samples in which each function, or each package with `by`, was running itself; the
 * largest first. Each sample counts once however late it came, because other processes used that time.
 */
export function selfTimes(profile: CpuProfile, by: 'function' | 'package'): [name: string, share: number][] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const counts = new Map<string, number>();
  let busy = 0;
  for (const id of profile.samples) {
    const frame = frames.get(id);
    if (!frame || isIdle(frame)) continue;
    busy += 1;
    const name = by === 'package' ? packageOf(frame.url) : nameOf(frame);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]): [string, number] => [name, count / busy])
    .toSorted(([, one], [, other]) => other - one);
}

/**
 * The busy samples as folded stacks, which speedscope and other viewers draw as a flame graph. They contain
 * packages and the running function: the `most` most frequent ones, and the rest as one.
 */
export function foldedStacks(profile: CpuProfile, most: number): string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const counts = new Map<string, number>();
  for (const sample of profile.samples) {
    const node = nodes.get(sample);
    if (!node || isIdle(node.callFrame)) continue;
    const callers: string[] = [];
    for (let id = parents.get(sample); id !== undefined; id = parents.get(id)) {
      const { url = '' } = nodes.get(id)?.callFrame ?? {};
      // Frames of Node itself do not help to see which package called which.
      if (url && !url.startsWith('node:') && callers[0] !== packageOf(url)) callers.unshift(packageOf(url));
    }
    const stack = [...callers, nameOf(node.callFrame)].map((frame) => frame.replaceAll(';', ',')).join(';');
    counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0);
  const kept: [string, number][] = [...sorted.slice(0, most), ['(others)', rest]];
  return kept.map(([stack, count]) => `${stack} ${count}\n`).join('');
}

/** The package of a file: a library, a workspace of ours, or Node itself. */
const packageOf = (url: string) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1] ??
  /\/((?:apps|libs)\/[^/]+)\//.exec(url)?.[1] ??
  (url.startsWith('node:') ? url : '(native)');

const isIdle = ({ functionName }: CpuProfile['nodes'][number]['callFrame']) =>
  functionName === '(idle)' || functionName === '(program)';

const nameOf = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']) =>
  url
    ? `${functionName || '(anonymous)'} ${packageOf(url)}/${url.split('/').at(-1) ?? ''}:${lineNumber + 1}`
    : functionName;
