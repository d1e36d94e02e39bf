import { MovingName, startNats, waitFor } from '@stoa/system';
import { expect, test } from '@jest/globals';
import { connectBus, PendingConnection } from '../src/connection.ts';
import { connectionStatus } from '../src/connection-status.ts';

/** The new connection takes about a second. The kernel alone would try the old address for two minutes. */
const backWithinMs = 15_000;

test('a connection follows NATS to a new address while the old one drops every packet', async () => {
  const nats = await startNats();
  const place = await MovingName.open(new URL(nats.url).port);
  const options = {
    url: place.in(nats.url),
    user: 'creators',
    password: nats.credentials('creators').pass,
    name: 'test',
  };
  // The connection starts with the old address.
  const pending = new PendingConnection(options);
  await place.dialled();
  place.move();
  const connection = await pending.opened;
  try {
    const status = connectionStatus(connection);
    place.vanish();
    await nats.kill();
    await place.dialled();
    await nats.start();
    place.move();
    await waitFor(() => expect(status.isConnected).toBe(true), { timeout: backWithinMs });
  } finally {
    await connection.close();
    place.close();
    await nats.close();
  }
}, 60_000);

test('a name with a dead address beside a live one leads to the live one', async () => {
  const nats = await startNats();
  const place = await MovingName.open(new URL(nats.url).port);
  place.spread();
  const options = { user: 'creators', password: nats.credentials('creators').pass, name: 'test' };
  try {
    for (let round = 0; round < 4; round += 1) {
      const since = performance.now();
      const connection = await connectBus({ ...options, url: place.in(nats.url) });
      expect(performance.now() - since).toBeLessThan(backWithinMs);
      await connection.close();
    }
  } finally {
    place.close();
    await nats.close();
  }
}, 60_000);
