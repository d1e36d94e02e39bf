export { recordHttpRequest } from './http-requests.ts';
export { count, observe, observeTogether } from './instruments.ts';
export * from './messages.ts';
export * from './names.ts';
export * from './prometheus.ts';
export { flushTelemetry } from './sdk.ts';
export { tokenBucket } from './token-bucket.ts';
export { unobserveIncoming, withoutHttpTelemetry } from './unobserved-http.ts';
