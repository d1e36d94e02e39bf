import { Problem } from '../problem.ts';

const stores = ['minio', 'versitygw'] as const;
export type Store = (typeof stores)[number];

/** The object store of an installation: STOA_STORE, by default MinIO. */
export function chosenStore(environment: NodeJS.ProcessEnv = process.env): Store {
  const wanted = environment.STOA_STORE || 'minio';
  const store = stores.find((name) => name === wanted);
  if (store) return store;
  throw new Problem(`STOA_STORE is "${wanted}": say one of ${stores.join(', ')}, or leave it out.`);
}
