import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectionStatus } from '../src/connection-status.ts';
import { EchoService } from './echo-service.ts';
import { freezableWire } from './freezable-wire.ts';

/** From SIGKILL of NATS to the first good answer. */
const backWithinMs = 2000;
/** A machine that is busy lets NATS itself take longer, but not every time. */
const rounds = 5;

let service: EchoService;

beforeAll(async () => {
  service = await EchoService.open();
});
afterEach(loseReplicas);
afterAll(() => service.close());

/** One that stopped would wait for what it has in hand. */
async function loseReplicas() {
  await Promise.all(service.replicas.splice(0).map(({ connection }) => connection.close()));
}

/** One request hangs, so that it is asked again and again whether its service is there. */
async function serveAndHang(url = service.nats.url) {
  const begun: string[] = [];
  const handler = async (input: { text: string }) => {
    begun.push(input.text);
    return input.text === 'hang' ? new Promise(() => undefined) : input;
  };
  await service.serve(handler, { url });
  await service.meetReplicas();
  service.say('hang').catch(() => undefined);
  await waitFor(() => expect(begun).toContain('hang'));
  return begun;
}

/** Resolves once the client knows. */
async function isConnected(connected: boolean) {
  const status = connectionStatus(service.bus.connection);
  await waitFor(() => expect(status.isConnected).toBe(connected));
}

test('a write that is asked for while NATS is away for a moment is sent once it is back', async () => {
  await serveAndHang();
  await service.nats.kill();
  await isConnected(false);
  // Handed to the client at once it would be forgotten by its next try to connect.
  const write = service.say('write');
  await service.nats.comeBack();
  expect(await write).toEqual({ text: 'write' });
});

/** Milliseconds from SIGKILL of NATS to an answer of a service that comes back after it. */
async function timeReturn(): Promise<number> {
  const wire = await freezableWire(service.nats.url);
  const begun = await serveAndHang(wire.url);
  const since = performance.now();
  await service.nats.kill();
  await isConnected(false);
  wire.close();
  await service.nats.comeBack();
  await isConnected(true);
  const sent = service.bus.connection.stats().outMsgs;
  const write = service.say('write');
  // Nobody is there, and it is asked whether somebody is.
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - sent).toBeGreaterThanOrEqual(2));
  expect(begun).not.toContain('write');
  await service.serve(async (input) => input);
  expect(await write).toEqual({ text: 'write' });
  const ms = performance.now() - since;
  await loseReplicas();
  return ms;
}

test('NATS is back within 2 s: nobody waits for a question that went down with it', async () => {
  const taken: number[] = [];
  while (taken.length < rounds && !taken.some((ms) => ms <= backWithinMs)) taken.push(await timeReturn());
  expect(Math.min(...taken)).toBeLessThanOrEqual(backWithinMs);
});
