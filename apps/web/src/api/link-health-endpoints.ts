import { request } from './request.ts';

const signedIn = true;

/** Dead links: the dashboard alone loads it. */
export const linkHealthApi = {
  read: (signal: AbortSignal) => request('get', '/api/me/link-health', { signal, signedIn }),
  check: (id: string) => request('post', '/api/me/link-health/{id}/looks', { params: { id }, signedIn }),
};
