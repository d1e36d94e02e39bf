import { creators } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changes, startCreators } from './creators-under-test.ts';

let service: ServiceUnderTest;
let other: ChildProcess;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** A process of its own beside the one of this test, as it is built and deployed. */
async function startProcess(): Promise<ChildProcess> {
  const port = String(await freePort());
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '', HEALTH_PORT: port },
    stdio: 'inherit',
  });
  const ready = async () => expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  await waitFor(ready, { timeout: 60_000 });
  return child;
}

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());
beforeEach(async () => {
  other = await startProcess();
}, 90_000);
afterEach(() => void other.kill('SIGKILL'));

test('an edit that timed out in a stopped process does not come after a newer one when that goes on', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  // So that both replicas have heard of who asks.
  for (let count = 0; count < 10; count += 1) await service.ask(creators.readOwn, {}, caller);
  other.kill('SIGSTOP');
  const older = () =>
    service.ask(creators.update, changes({ bio: 'Older.' }), caller, 1000).then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
  // NATS deals one or another to the process that was stopped.
  await waitFor(async () => expect(await older()).toBe('timeout'), { timeout: 20_000 });
  await service.ask(creators.update, changes({ bio: 'Newer.' }), caller);
  other.kill('SIGCONT');
  // It works off what it was dealt before it ends.
  other.kill('SIGTERM');
  await once(other, 'exit');
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ bio: 'Newer.' });
});
