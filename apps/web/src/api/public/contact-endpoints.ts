import type { ContactMessage } from '@stoa/contracts';
import { request } from '../request.ts';

/** Calls of the contact forms. */
export const contactApi = {
  sendMessage: (body: ContactMessage) => request('post', '/api/contact-messages', { body }),
  writeToCreator: (username: string, body: ContactMessage) =>
    request('post', '/api/creators/{username}/messages', { params: { username }, body }),
};
