import { ApiError, isTransient, type Reason } from './http.ts';

/** The messages of one screen, by the reason of the failure. */
export type Words = Partial<Record<Reason, string>> & { otherwise: string };

/**
 * Messages of the visitors' screens. The other `…-messages.ts` files serve the other screens. Error codes
 * become text only here and there.
 */
export const errorMessages = {
  browse: { otherwise: 'Failed to load creators.' },
  publicProfile: {
    not_found: 'Creator not found.',
    invalid_input: 'Creator not found.',
    otherwise: 'Failed to load creator profile.',
  },
  publicOfferings: { otherwise: 'Failed to load offerings.' },
} satisfies Record<string, Words>;

/** The trace to report to support. Only failures of the server or network have one, refusals do not. */
export function referenceOf(error: unknown): string | undefined {
  return isTransient(error) ? error.traceId : undefined;
}

export function messageFor(table: Words, error: unknown): string {
  if (!(error instanceof ApiError)) return table.otherwise;
  const offline = error.reason === 'unreachable' && !navigator.onLine ? ' You are offline.' : '';
  return (table[error.reason] ?? table.otherwise).replace('{when}', whenAfter(error.retryAfter)) + offline;
}

function whenAfter(seconds: number | undefined): string {
  if (!seconds) return 'later';
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `in ${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
