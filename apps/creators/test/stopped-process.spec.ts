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

/** Starts a second replica as a process of the deployed build. */
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

test('a resumed process does not apply an edit that timed out over a newer one', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  other.kill('SIGSTOP');
  const older = () =>
    service.ask(creators.update, changes({ bio: 'Older.' }), caller, 1000).then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
  // Repeats the request until NATS delivers it to the stopped process, where it times out.
  await waitFor(async () => expect(await older()).toBe('timeout'), { timeout: 20_000 });
  // Repeats the request until NATS delivers it to the replica that runs.
  const newer = () => service.ask(creators.update, changes({ bio: 'Newer.' }), caller, 1000);
  await waitFor(newer, { timeout: 20_000 });
  other.kill('SIGCONT');
  // After SIGTERM the process still handles its pending requests, among them the older edit.
  other.kill('SIGTERM');
  await once(other, 'exit');
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ bio: 'Newer.' });
});
