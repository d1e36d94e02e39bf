import type { Event, Request } from '@stoa/contracts';

/** Subjects of every request that a contract declares. */
export function requestSubjects(contract: Record<string, Request | Event>): string[] {
  return Object.values(contract)
    .filter((operation) => operation.kind === 'request')
    .map((operation) => operation.subject)
    .toSorted();
}
