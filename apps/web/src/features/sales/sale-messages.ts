import type { Words } from '../../api/messages.ts';

/** Error messages of the sales page. */
export const saleErrorMessages = {
  list: { otherwise: 'Failed to load your sales.' },
  add: {
    unauthenticated: 'Your session has ended. Log in again, then add the sale.',
    not_found: 'This offering does not exist any more.',
    conflict: 'There is no room for more sales.',
    otherwise: 'The sale could not be added. Please try again.',
  },
  replaceKey: {
    unauthenticated: 'Your session has ended. Log in again, then make the link.',
    not_found: 'This sale does not exist any more.',
    conflict: 'This sale is closed. It gets no new link.',
    otherwise: 'The link could not be made. Please try again.',
  },
  close: {
    unauthenticated: 'Your session has ended. Log in again, then close the sale.',
    not_found: 'This sale does not exist any more.',
    otherwise: 'The sale could not be closed. Please try again.',
  },
} satisfies Record<string, Words>;
