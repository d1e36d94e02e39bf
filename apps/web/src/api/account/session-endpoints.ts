import type { Creator } from '@stoa/contracts';
import { exchange, readJson } from '../http.ts';
import { request } from '../request.ts';

const signedIn = true;

/** Calls that every signed-in page needs. Visitors' pages do not load them. */
export const sessionApi = {
  /** `isNew`: this call created the creator's record, so the sign-in is a sign-up. */
  openSession: async () => {
    const { response, body } = await exchange('POST', '/api/session', { signedIn }, readJson);
    return { creator: body as Creator, isNew: response.status === 201 };
  },
  me: (signal: AbortSignal | undefined) => request('get', '/api/me', { signal, signedIn }),
};
