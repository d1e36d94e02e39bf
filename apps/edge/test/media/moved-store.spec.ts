import { MovingName, testParts } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { listen, mediaProxy } from '../proxies-under-test.ts';
import { buckets, store } from './store-under-test.ts';

it('shows a picture from a store that has moved while the old address drops every packet', async () => {
  const { endpoint } = testParts().minio;
  const key = `edge/${randomUUID()}`;
  await store.putObject(buckets.public, key, 'a picture');
  const place = await MovingName.open(new URL(endpoint).port);
  const proxy = await mediaProxy({ S3_ENDPOINT: place.in(endpoint).replace(/\/$/, '') }).build();
  try {
    const asked = fetch(`${await listen(proxy)}/${buckets.public}/${key}`);
    await place.dialled();
    place.move();
    expect(await (await asked).text()).toBe('a picture');
  } finally {
    await proxy.close();
    place.close();
    await store.removeObject(buckets.public, key);
  }
});
