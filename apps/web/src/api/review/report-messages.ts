import type { Words } from '../messages.ts';

/** Messages of the report form. */
export const reportErrorMessages: Words = {
  rate_limited: 'You have sent several reports within the hour. Please try again {when}.',
  not_found: 'This page is not there any more, so there is nothing left to report.',
  invalid_input: 'The report was not sent. Please change what is marked.',
  otherwise: 'The report could not be sent. Please try again.',
};
