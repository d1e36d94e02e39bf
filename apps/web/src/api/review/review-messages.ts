import type { Words } from '../messages.ts';

/** Messages of the review pages and appeals. */
export const reviewErrorMessages = {
  cases: {
    forbidden: 'This room is for the people who look at reports.',
    otherwise: 'Failed to load the reports.',
  },
  decision: {
    unauthenticated: 'Your session has ended. Log in again, then decide.',
    fresh_login_required: 'Log in again, then decide. What you typed is kept.',
    forbidden: 'You are no longer one of the people who look at reports.',
    conflict: 'Somebody else has decided about this meanwhile.',
    invalid_input: 'The decision was not saved. Please change what is marked.',
    otherwise: 'The decision could not be saved. Please try again.',
  },
  takedowns: { otherwise: 'Failed to load what was hidden.' },
  appeal: {
    unauthenticated: 'Your session has ended. Log in again, then appeal.',
    conflict: 'You have appealed this already.',
    invalid_input: 'The appeal was not sent. Please change what is marked.',
    otherwise: 'The appeal could not be sent. Please try again.',
  },
} satisfies Record<string, Words>;
