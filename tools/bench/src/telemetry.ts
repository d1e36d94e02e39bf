import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { System } from '@stoa/system';
import { benchmarks, type Sites } from './benchmarks.ts';
import { alternate, fetchOnce, median, type LoadResult } from './load.ts';
import { signUpOwners, startFilled } from './stoa.ts';

/** Enough creators that a random profile is rarely cached. */
const size = 50_000;
const compared = ['profile-hot', 'profile-all', 'edit'];

/**
 * Compares two systems alternately: one exports spans and metrics as in production, the other has the SDK
 * disabled.
 */
export async function measureTelemetry(seconds: number, rounds: number): Promise<void> {
  const receiver = await startReceiver();
  const { port } = receiver.address() as AddressInfo;
  const systems: System[] = [];
  try {
    systems.push(await startFilled(size, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }));
    systems.push(await startFilled(size, { OTEL_SDK_DISABLED: 'true' }));
    const [on, off] = await Promise.all(systems.map(sitesOf));
    if (!on || !off) return;
    console.log('\n| benchmark | telemetry off | telemetry on | on ÷ off |\n|---|---|---|---|');
    for (const { name, connections, sides, warm } of benchmarks) {
      if (!compared.includes(name)) continue;
      for (const sites of [on, off]) await fetchOnce(sites.stoa, warm?.(sites) ?? []);
      // The systems differ only in their addresses; `direct` is the one without telemetry.
      const turns = await alternate(
        { stoa: sides(on).stoa, direct: sides(off).stoa },
        { connections, seconds, rounds },
      );
      const ratio = median(turns.stoa.map((turn, at) => turn.perSecond / (turns.direct[at]?.perSecond ?? 0)));
      console.log(`| \`${name}\` | ${rate(turns.direct)} | ${rate(turns.stoa)} | **${ratio.toFixed(2)}** |`);
    }
  } finally {
    await Promise.all(systems.map((system) => system.stop()));
    receiver.close();
  }
}

async function sitesOf(system: System): Promise<Sites> {
  return { stoa: system.siteUrl, direct: system.siteUrl, size, owners: await signUpOwners(system) };
}

const rate = (turns: readonly LoadResult[]) => {
  const rates = turns.map(({ perSecond }) => Math.round(perSecond));
  return `${Math.round(median(rates))}/s (${Math.min(...rates)}–${Math.max(...rates)})`;
};

/** Accepts exported data without parsing it, like a collector on another machine. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
