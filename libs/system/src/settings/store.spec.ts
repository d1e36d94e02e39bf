import { expect, it } from '@jest/globals';
import { chosenStore } from './store.ts';

it('takes MinIO unless told otherwise, and no store that it does not know', () => {
  expect(chosenStore({})).toBe('minio');
  expect(chosenStore({ STOA_STORE: '' })).toBe('minio');
  expect(chosenStore({ STOA_STORE: 'versitygw' })).toBe('versitygw');
  expect(() => chosenStore({ STOA_STORE: 'ceph' })).toThrow(
    'STOA_STORE is "ceph": say one of minio, versitygw, or leave it out.',
  );
});
