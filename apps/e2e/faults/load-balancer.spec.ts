import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadBalancer } from '../src/fault-drill/load-balancer.ts';
import { expect, test } from '../src/test.ts';

/** Longer than a read whose answer has not begun stays with a gateway. */
const slowMs = 1000;

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Two gateways that are ready, of which each answers like this, and what each was asked. */
async function share(answer: RequestListener) {
  const asked: string[] = [];
  const servers = await Promise.all(
    ['one', 'other'].map((name) =>
      serve((request, response) => {
        asked.push(name);
        answer(request, response);
      }),
    ),
  );
  const health = await serve((_, response) => response.end());
  const gateways = servers.map(({ port }) => ({
    site: `http://127.0.0.1:${port}`,
    healthPort: health.port,
  }));
  const stop = () => [...servers, health].forEach(({ server }) => server.close().closeAllConnections());
  return { asked, balancer: new LoadBalancer(gateways), stop };
}

test('the drill’s load balancer gives a read to the other gateway when its answer does not begin', async () => {
  let first = true;
  const { asked, balancer, stop } = await share((_, response) => {
    if (!first) response.end('quick');
    first = false;
  });
  expect(await (await balancer.ask('GET', '/')).text()).toBe('quick');
  expect(new Set(asked).size).toBe(2);
  stop();
});

test('the drill’s load balancer hands an answer on that has begun, however long the rest of it takes', async () => {
  const { asked, balancer, stop } = await share((_, response) => {
    response.write('begun, ');
    void pause(slowMs).then(() => response.end('ended'));
  });
  expect(await (await balancer.ask('GET', '/')).text()).toBe('begun, ended');
  expect(asked).toHaveLength(1);
  stop();
});
