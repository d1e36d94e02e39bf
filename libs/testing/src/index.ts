export * from './callers.ts';
export * from './contracts.ts';
export * from './database.ts';
export * from './event-tap.ts';
export * from './files.ts';
export * from './parts.ts';
export * from './pictures.ts';
export * from './service-under-test.ts';
export { type NatsUser, startNats } from '@stoa/stack';
