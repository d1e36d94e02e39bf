export * from './access-matrix.ts';
export * from './callers.ts';
export * from './contracts.ts';
export * from './database.ts';
export * from './event-tap.ts';
export * from './files.ts';
export * from './parts.ts';
export * from './pictures.ts';
export * from './realm.ts';
export * from './service-under-test.ts';
export * from './versitygw.ts';
export {
  inRepository,
  type NatsUser,
  plainReporter,
  schemathesis,
  startNats,
  waitFor,
} from '@stoa/stack';
