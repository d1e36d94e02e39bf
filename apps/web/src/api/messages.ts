import { ApiError, isTransient, type Reason } from './http.ts';

/** What a refusal is called on one screen. */
export type Words = Partial<Record<Reason, string>> & { otherwise: string };

const oops = 'Oops! There was a problem submitting your form.';
// An office or a mobile carrier may stand behind one address: it need not be the reader who has written.
const tooMany = 'Several messages have come from your network within the hour. Please try again {when}.';

/** For the screens of visitors; the other `…-messages.ts` have the others'. Nowhere else do codes become words. */
export const errorMessages = {
  browse: { otherwise: 'Failed to load creators.' },
  publicProfile: {
    not_found: 'Creator not found.',
    invalid_input: 'Creator not found.',
    otherwise: 'Failed to load creator profile.',
  },
  publicOfferings: { otherwise: 'Failed to load offerings.' },
  contact: { rate_limited: `${oops} ${tooMany}`, otherwise: oops },
  creatorContact: {
    rate_limited: `${oops} ${tooMany}`,
    not_found: `${oops} This profile does not exist any more.`,
    conflict: `${oops} This creator now takes mail at an address of their own: it is on their profile.`,
    otherwise: oops,
  },
} satisfies Record<string, Words>;

/** What to tell somebody who looks for the cause: the trace of a failure that is ours, not of a refusal. */
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
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
