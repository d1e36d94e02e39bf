import { expect, it } from '@jest/globals';
import { chosenStore } from './store.ts';

it('defaults to MinIO and rejects an unknown STOA_STORE', () => {
  expect(chosenStore({})).toBe('minio');
  expect(chosenStore({ STOA_STORE: '' })).toBe('minio');
  expect(chosenStore({ STOA_STORE: 'versitygw' })).toBe('versitygw');
  expect(() => chosenStore({ STOA_STORE: 'ceph' })).toThrow(
    'STOA_STORE is "ceph": say one of minio, versitygw, or leave it out.',
  );
});
