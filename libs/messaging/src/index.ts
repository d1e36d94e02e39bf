export * from './bus.ts';
export * from './connection.ts';
export * from './event-consumer.ts';
export * from './event-publisher.ts';
export * from './handles.decorator.ts';
export * from './plain-error.filter.ts';
export * from './refusal.ts';
export * from './request-server.ts';
