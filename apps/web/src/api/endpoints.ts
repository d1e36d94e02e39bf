import type { ContactMessage, Niche } from '@stoa/contracts';
import { request, requestWithStatus } from './request.ts';

type Signal = AbortSignal | undefined;
const signedIn = true;

export interface BrowseFilter {
  search: string;
  niche: Niche | undefined;
}

/** The operations of every page; what only creators or buyers need stands beside what needs it. */
export const api = {
  browse: ({ search, niche }: BrowseFilter, cursor: string | undefined, signal: Signal) =>
    request('get', '/api/creators', { query: { search, niche, cursor }, signal }),
  creator: (username: string, signal: Signal) =>
    request('get', '/api/creators/{username}', { params: { username }, signal }),
  sendMessage: (body: ContactMessage) => request('post', '/api/contact-messages', { body }),
  writeToCreator: (username: string, body: ContactMessage) =>
    request('post', '/api/creators/{username}/messages', { params: { username }, body }),

  /** `isNew`: this very call made the creator's record, which is what a sign-up is. */
  openSession: async () => {
    const { status, body: creator } = await requestWithStatus('post', '/api/session', { signedIn });
    return { creator, isNew: status === 201 };
  },
  me: (signal: Signal) => request('get', '/api/me', { signal, signedIn }),
};
