import type { Event, Request } from '@stoa/contracts';

/** The sorted subjects of all requests of a contract. */
export function requestSubjects(contract: Record<string, Request | Event>): string[] {
  return Object.values(contract)
    .filter((operation) => operation.kind === 'request')
    .map((operation) => operation.subject)
    .toSorted();
}
