import type { Niche } from '@stoa/contracts';
import { request } from '../request.ts';

type Signal = AbortSignal | undefined;

export interface BrowseFilter {
  search: string;
  niche: Niche | undefined;
}

/** Calls of the public pages. Calls for creators or buyers only are in files of their own. */
export const api = {
  browse: ({ search, niche }: BrowseFilter, cursor: string | undefined, signal: Signal) =>
    request('get', '/api/creators', { query: { search, niche, cursor }, signal }),
};
