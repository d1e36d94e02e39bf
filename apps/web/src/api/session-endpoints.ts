import type { Creator } from '@stoa/contracts';
import { exchange, readJson } from './http.ts';
import { request } from './request.ts';

const signedIn = true;

/** The operations of everybody who is signed in; visitors do not load them. */
export const sessionApi = {
  /** `isNew`: this very call made the creator's record, which is what a sign-up is. */
  openSession: async () => {
    const { response, body } = await exchange('POST', '/api/session', { signedIn }, readJson);
    return { creator: body as Creator, isNew: response.status === 201 };
  },
  me: (signal: AbortSignal | undefined) => request('get', '/api/me', { signal, signedIn }),
};
