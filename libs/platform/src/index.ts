export * from './environment.ts';
export * from './health.ts';
export * from './health-server.ts';
export * from './outbox.ts';
export * from './platform.module.ts';
export * from './start-service.ts';
export * from './sweeper.ts';
