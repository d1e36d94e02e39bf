import { MovingName } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CardStorageClient } from '../../src/storage/card-storage.client.ts';
import { ExportStorageClient } from '../../src/storage/export-storage.client.ts';
import { MediaConfig } from '../../src/media.config.ts';
import { StorageClient } from '../../src/storage/storage.client.ts';
import { buckets, endpoint, storageEnvironment, store } from '../media-under-test.ts';

const key = `moved/${randomUUID()}`;

let place: MovingName;
let config: MediaConfig;
beforeEach(async () => {
  await store.putObject(buckets.public, key, 'a card');
  await store.putObject(buckets.staging, key, 'posted');
  place = await MovingName.open(new URL(endpoint).port);
  const bus = {
    SERVICE_NAME: 'media',
    NATS_URL: 'nats://127.0.0.1:1',
    NATS_USER: 'media',
    NATS_PASSWORD: 'none',
    HEALTH_PORT: '0',
  };
  const service = {
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    SITE_URL: 'http://localhost',
  };
  Object.assign(process.env, storageEnvironment, bus, service, { S3_ENDPOINT: place.in(endpoint) });
  config = new MediaConfig();
});
afterEach(async () => {
  place.close();
  await store.removeObject(buckets.public, key);
  await store.removeObject(buckets.staging, key);
});

it.each([
  ['a posted file', () => new StorageClient(config).findPosted(key)],
  ['a card', () => new CardStorageClient(config).find(key)],
  ['a picture of an export', () => new ExportStorageClient(config).findPicture(key)],
])('finds %s in a store that moved while the old address drops every packet', async (_, find) => {
  const found = find();
  await place.dialled();
  place.move();
  expect(await found).not.toBeNull();
});
