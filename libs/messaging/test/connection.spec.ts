import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { type NatsUser, startNats, waitFor } from '@stoa/system';
import { connectBus, PendingConnection } from '../src/connection.ts';
import { connectionStatus } from '../src/connection-status.ts';
import { freezableWire } from './freezable-wire.ts';

test('a pending connection stops immediately while the server accepts it but stays silent', async () => {
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
  // The client alone would give up a silent server only after 20 s.
}, 10_000);

test('a node that vanishes silently is noticed from both ends within 20 s', async () => {
  const nats = await startNats();
  const connect = (user: NatsUser, url = nats.url) =>
    connectBus({ url, user, password: nats.credentials(user).pass, name: 'test' });
  const wire = await freezableWire(nats.url);
  const [gateway, staying, vanished] = await Promise.all([
    connect('gateway'),
    connect('creators'),
    connect('creators', wire.url),
  ]);
  try {
    for (const replica of [staying, vanished]) {
      const callback = (_: Error | null, message: { respond(): boolean }) => void message.respond();
      replica.subscribe('rpc.creators.ping', { queue: 'creators', callback });
      await replica.flush();
    }
    const noticed = once(connectionStatus(vanished).changes, 'lost');
    wire.freeze();
    // The closed proxy prevents a reconnect.
    wire.close();
    const askTenTimes = () =>
      Promise.all(
        Array.from({ length: 10 }, () => gateway.request('rpc.creators.ping', '', { timeout: 500 })),
      );
    await expect(askTenTimes()).rejects.toThrow();
    await waitFor(askTenTimes, { timeout: 20_000 });
    await noticed;
  } finally {
    await Promise.all([gateway, staying, vanished].map((connection) => connection.close()));
    await nats.close();
  }
  // The NATS client alone would check the connection every two minutes, and so would the server.
}, 40_000);
