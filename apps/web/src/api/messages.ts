import { ApiError, type Reason } from './http.ts';

type Words = Partial<Record<Reason, string>> & { otherwise: string };

const oops = 'Oops! There was a problem submitting your form.';
const tooMany = 'You have sent several messages within the hour. Please try again {when}.';

/** What a refusal is called on each screen. The only place where codes become words. */
const words = {
  login: { otherwise: 'An error occurred. Please try again later.' },
  signup: { otherwise: 'Something went wrong. Please try again.' },
  forgotPassword: { otherwise: 'Failed to send reset email. Please check the address and try again.' },
  browse: { otherwise: 'Failed to load creators.' },
  publicProfile: {
    not_found: 'Creator not found.',
    invalid_input: 'Creator not found.',
    otherwise: 'Failed to load creator profile.',
  },
  publicOfferings: { otherwise: 'Failed to load offerings.' },
  ownProfile: { otherwise: 'Failed to load your profile.' },
  profileSave: { otherwise: 'Failed to update profile.' },
  ownOfferings: { otherwise: 'Failed to load your offerings.' },
  offeringLoad: {
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    invalid_input: 'Offering not found.',
    otherwise: 'Failed to load the offering.',
  },
  offeringCreate: {
    unauthenticated: 'You must be logged in to create an offering.',
    otherwise: 'Failed to create offering. Please try again.',
  },
  offeringUpdate: {
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    otherwise: 'Failed to update offering.',
  },
  offeringDelete: { otherwise: 'Failed to delete the offering. Please try again.' },
  download: {
    invalid_input: 'Invalid request link.',
    not_found: "Sorry, we couldn't find that offering.",
    otherwise: 'Could not retrieve offering details.',
  },
  /** Its page is open already, and the offering has gone from under it. */
  downloadAgain: {
    not_found: 'No offering data found.',
    otherwise: 'Could not retrieve offering details.',
  },
  contact: { rate_limited: `${oops} ${tooMany}`, otherwise: oops },
  creatorContact: {
    rate_limited: `${oops} ${tooMany}`,
    not_found: `${oops} This profile does not exist any more.`,
    conflict: `${oops} This creator now takes mail at an address of their own: it is on their profile.`,
    otherwise: oops,
  },
  upload: {
    unauthenticated: 'You must be logged in to upload a picture.',
    unsupported_picture: 'This file is not a picture we can read. Choose a JPEG, PNG, WebP or AVIF picture.',
    otherwise: 'The picture could not be uploaded. Please try again.',
  },
  fileUpload: {
    unauthenticated: 'You must be logged in to upload a file.',
    rate_limited: 'You have uploaded several files that no offering uses. Please try again in a while.',
    otherwise: 'The file could not be uploaded. Please try again.',
  },
  deliveryKey: {
    forbidden: 'You do not have permission to edit this offering.',
    not_found: 'Offering not found.',
    otherwise: 'The link could not be replaced. Please try again.',
  },
} satisfies Record<string, Words>;

export type Context = keyof typeof words;

const passing: ReadonlySet<Reason> = new Set(['internal', 'unavailable', 'timeout', 'unreachable']);

/** What to tell somebody who looks for the cause: the trace of a failure that is ours, not of a refusal. */
export function referenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && passing.has(error.reason) ? error.traceId : undefined;
}

export function messageFor(context: Context, error: unknown): string {
  const table: Words = words[context];
  if (!(error instanceof ApiError)) return table.otherwise;
  return (table[error.reason] ?? table.otherwise).replace('{when}', whenAfter(error.retryAfter));
}

function whenAfter(seconds: number | undefined): string {
  if (!seconds) return 'later';
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
