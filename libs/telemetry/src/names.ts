/** Every attribute and span name of our own; semantic conventions cover the rest. */
export const attributes = {
  /** Contract name of the service that answers or announces. */
  service: 'stoa.service',
  /** Name of the request or event within its contract. */
  operation: 'stoa.operation',
} as const;

export const tracerName = '@stoa/messaging';
