import type { Words } from '../messages.ts';

const oops = 'Oops! There was a problem submitting your form.';
// Offices and mobile carriers share one address, so another person may have sent those messages.
const tooMany = 'Several messages have come from your network within the hour. Please try again {when}.';

/** Messages of the contact forms. Every visitors' page loads `messages.ts`, whose size is limited. */
export const contactErrorMessages: Words = { rate_limited: `${oops} ${tooMany}`, otherwise: oops };

export const creatorContactErrorMessages: Words = {
  ...contactErrorMessages,
  not_found: `${oops} This profile does not exist any more.`,
  conflict: `${oops} This creator now takes mail at an address of their own: it is on their profile.`,
};
