import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { PendingConnection } from '../src/connection.ts';

test('is stopped at once while a server takes the connection and says nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const taken = once(silent, 'connection') as Promise<[Socket]>;
  const pending = new PendingConnection({
    url: `nats://127.0.0.1:${port}`,
    user: 'creators',
    password: 'secret',
    name: 'test',
  });
  const [socket] = await taken;
  try {
    pending.stopReconnecting();
    await expect(pending.opened).rejects.toThrow('The process stops.');
  } finally {
    socket.destroy();
    silent.close();
  }
  // The client alone gives up after 20 s.
}, 10_000);
