import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectionStatus } from '../src/connection-status.ts';
import { EchoService } from './echo-service.ts';
import { freezableWire } from './freezable-wire.ts';

/** From SIGKILL of NATS to the first good answer. */
const backWithinMs = 2000;
/** Rounds of the test. On a busy machine NATS itself may start slowly, but not in every round. */
const rounds = 5;

let service: EchoService;

beforeAll(async () => {
  service = await EchoService.open();
});
afterEach(loseReplicas);
afterAll(() => service.close());

/** Closes the connections: stopping a replica would wait for its events in flight. */
async function loseReplicas() {
  await Promise.all(service.replicas.splice(0).map(({ connection }) => connection.close()));
}

async function isConnected(connected: boolean) {
  const status = connectionStatus(service.bus.connection);
  await waitFor(() => expect(status.isConnected).toBe(connected));
}

test('a write during a short NATS outage is sent after it', async () => {
  await service.serve(async (input) => input);
  await service.nats.kill();
  await isConnected(false);
  // Waits for the reconnect: the client would drop a request that it gets during the outage.
  const write = service.say('write');
  await service.nats.start();
  expect(await write).toEqual({ text: 'write' });
});

/** Milliseconds from SIGKILL of NATS to an answer of a service that returns later than NATS. */
async function timeReturn(): Promise<number> {
  const wire = await freezableWire(service.nats.url);
  const begun: string[] = [];
  await service.serve(
    async (input) => {
      begun.push(input.text);
      return input;
    },
    { url: wire.url },
  );
  const since = performance.now();
  await service.nats.kill();
  await isConnected(false);
  wire.close();
  await service.nats.start();
  await isConnected(true);
  const sent = service.bus.connection.stats().outMsgs;
  const write = service.say('write');
  // No replica is running, so the bus sends the request again.
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - sent).toBeGreaterThanOrEqual(2));
  expect(begun).not.toContain('write');
  await service.serve(async (input) => input);
  expect(await write).toEqual({ text: 'write' });
  const ms = performance.now() - since;
  await loseReplicas();
  return ms;
}

test('a write is answered within 2 s of the end of NATS, by a service that returns later', async () => {
  const taken: number[] = [];
  while (taken.length < rounds && !taken.some((ms) => ms <= backWithinMs)) taken.push(await timeReturn());
  expect(Math.min(...taken)).toBeLessThanOrEqual(backWithinMs);
});
