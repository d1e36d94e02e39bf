import type { Words } from '../messages.ts';

/**
 * Messages of the offering page. Every visitors' page loads `messages.ts`, whose size limit is nearly used
 * up.
 */
export const offeringErrorMessages: Words = {
  not_found: 'Offering not found.',
  invalid_input: 'Offering not found.',
  otherwise: 'Failed to load this offering.',
};
