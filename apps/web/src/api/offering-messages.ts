import type { Words } from './messages.ts';

/** For the page of an offering: every page for visitors brings `messages.ts`, which has little room left. */
export const offeringErrorMessages: Words = {
  not_found: 'Offering not found.',
  invalid_input: 'Offering not found.',
  otherwise: 'Failed to load this offering.',
};
