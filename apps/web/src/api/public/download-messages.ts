import type { Words } from '../messages.ts';

/** Messages of the download page. They are separate because that page's size limit is nearly used up. */
export const downloadErrorMessages: Words = {
  invalid_input: 'Invalid request link.',
  not_found: "Sorry, we couldn't find that offering.",
  otherwise: 'Could not retrieve offering details.',
};

/** For an open download page whose offering has been deleted since. */
export const downloadAgainErrorMessages: Words = {
  not_found: 'No offering data found.',
  otherwise: 'Could not retrieve offering details.',
};
