import { request } from '../request.ts';

const signedIn = true;

/** Calls about dead links. Only the dashboard loads them. */
export const linkHealthApi = {
  read: (signal: AbortSignal) => request('get', '/api/me/link-health', { signal, signedIn }),
  check: (id: string) => request('post', '/api/me/link-health/{id}/looks', { params: { id }, signedIn }),
};
