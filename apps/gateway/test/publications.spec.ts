import { media, offerings } from '@stoa/contracts';
import { makeCaller, makeOffering, randomPicture } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterAll(async () => {
  await services.leave();
  await gateway.stop();
});

// The bus retries requests, so the gateway must choose the id before it sends the first one.
test('an offering created without an id gets one, which makes retries idempotent', async () => {
  const caller = makeCaller();
  const cover = randomPicture();
  await services.answer(media.resolve, cover);
  const asked = await services.answerWith(offerings.create, ({ id = randomUUID(), title }) =>
    makeOffering({ id, creatorId: caller.uid, title }),
  );
  const publish = async (more: object) => {
    const response = await fetch(`${gateway.url}/api/offerings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await gateway.token(caller)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        title: 'A letter',
        description: '',
        price: '€1',
        type: 'eBook',
        paymentUrl: 'https://pay.example.com/',
        coverImageId: cover.id,
        ...more,
      }),
    });
    expect(response.status).toBe(201);
    return (asked.at(-1) as { id?: string }).id;
  };
  expect(await publish({})).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
  const id = randomUUID();
  expect(await publish({ id })).toBe(id);
});
