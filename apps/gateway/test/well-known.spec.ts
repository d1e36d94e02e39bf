import { makeCaller } from '@stoa/testing';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { makeWebRoot } from './web-root.ts';

let gateway: GatewayUnderTest;
let webRoot: string;
beforeAll(async () => {
  webRoot = await makeWebRoot();
  gateway = await startGatewayUnderTest({ webRoot });
});
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

test.each(['GET', 'HEAD'])(
  '%s of the address for a new password redirects to the account page [gateway-80]',
  async (method) => {
    for (const authorization of [undefined, `Bearer ${await gateway.token(makeCaller())}`]) {
      const answer = await fetch(`${gateway.url}/.well-known/change-password`, {
        method,
        redirect: 'manual',
        headers: { ...(authorization && { authorization }) },
      });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/account']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  },
);

// Password managers request the first address to find sites that answer every address with 200.
test.each(['resource-that-should-not-exist-whose-status-code-should-not-be-200', 'change-passwords'])(
  '/.well-known/%s is 404',
  async (name) => {
    const answer = await fetch(`${gateway.url}/.well-known/${name}`, { redirect: 'manual' });
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  },
);
