import type { Words } from '../messages.ts';

/** Errors on the way to the sign-in server. Public pages do not load them. */
export const signInMessages = {
  login: { otherwise: 'An error occurred. Please try again later.' },
  signup: { otherwise: 'Something went wrong. Please try again.' },
  forgotPassword: { otherwise: 'Failed to send reset email. Please check the address and try again.' },
} satisfies Record<string, Words>;
