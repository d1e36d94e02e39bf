import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadBalancer } from '../src/fault-drill/load-balancer.ts';
import { expect, test } from '@stoa/e2e/test';

/** Milliseconds, longer than a gateway has to begin the answer of a read. */
const slowMs = 1000;

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Two ready gateways that answer with `answer`, and the names of those that were called. */
async function share(answer: RequestListener) {
  const called: string[] = [];
  const servers = await Promise.all(
    ['one', 'other'].map((name) =>
      serve((request, response) => {
        called.push(name);
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
  return { called, balancer: new LoadBalancer(gateways), stop };
}

test('the drill’s load balancer sends a read to the other gateway when no answer begins', async () => {
  let first = true;
  const { called, balancer, stop } = await share((_, response) => {
    if (!first) response.end('quick');
    first = false;
  });
  expect(await (await balancer.ask('GET', '/')).text()).toBe('quick');
  expect(new Set(called).size).toBe(2);
  stop();
});

test('the drill’s load balancer passes on an answer that has begun, however long it takes', async () => {
  const { called, balancer, stop } = await share((_, response) => {
    response.write('begun, ');
    void pause(slowMs).then(() => response.end('ended'));
  });
  expect(await (await balancer.ask('GET', '/')).text()).toBe('begun, ended');
  expect(called).toHaveLength(1);
  stop();
});
