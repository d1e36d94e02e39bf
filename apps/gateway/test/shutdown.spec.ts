import { creators } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ settings: { PUBLIC_READS_SAMPLED: '0' } });
});
afterAll(() => gateway.stop());

// A client keeps its connection open for a minute. By then an orchestrator would have killed the process.
test.each([
  ['before the router', creators.find, '/api/creators/slow'],
  ['by the router', creators.browse, '/api/creators?search=slow'],
])(
  'a stop waits for a response given %s, not for its connection',
  async (_, request, path) => {
    const service = await gateway.connectAs('creators');
    const asked = Promise.withResolvers<{ respond: (text: string) => boolean }>();
    service.subscribe(request.subject, { callback: (_, message) => asked.resolve(message) });
    await service.flush();
    const { url, stop, connected } = await gateway.addReplica();
    await connected();
    const answer = fetch(url + path);
    const message = await asked.promise;
    const stopped = stop();
    await waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 10_000 });
    message.respond('{}');
    await (await answer).text();
    await stopped;
  },
  30_000,
);
