import { expect, it } from '@jest/globals';
import { setUpSettings } from './set-up-settings.ts';

it('addresses default to the names of the parts', () => {
  expect(setUpSettings({ POSTGRES_ADDRESS: '', S3_ENDPOINT: 'https://s3.example.com' })).toMatchObject({
    POSTGRES_ADDRESS: 'postgres:5432',
    S3_ENDPOINT: 'https://s3.example.com',
    STREAM_REPLICAS: '1',
  });
});

it('rejects a number of stream replicas other than 1, 3 and 5', () => {
  expect(() => setUpSettings({ STREAM_REPLICAS: '2' })).toThrow(
    'STREAM_REPLICAS is "2": a stream is kept 1, 3 or 5 times.',
  );
});
