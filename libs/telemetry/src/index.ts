export * from './messages.ts';
export * from './names.ts';
export { flushTelemetry } from './sdk.ts';
