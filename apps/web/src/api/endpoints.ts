import type { ContactMessage, Niche } from '@stoa/contracts';
import { request } from './request.ts';

type Signal = AbortSignal | undefined;

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
};
