import type { Words } from './messages.ts';

/** For the download page, which buyers load and which has little room left. */
export const downloadErrorMessages: Words = {
  invalid_input: 'Invalid request link.',
  not_found: "Sorry, we couldn't find that offering.",
  otherwise: 'Could not retrieve offering details.',
};

/** Its page is open already, and the offering has gone from under it. */
export const downloadAgainErrorMessages: Words = {
  not_found: 'No offering data found.',
  otherwise: 'Could not retrieve offering details.',
};
