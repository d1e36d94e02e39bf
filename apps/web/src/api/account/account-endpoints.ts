import { deletionPhrase } from '@stoa/contracts/facts';
import { request } from '../request.ts';

const signedIn = true;

/** Calls of the account page. They are kept out of `endpoints.ts`, which every visitor's page loads. */
export const accountApi = {
  sessions: (signal: AbortSignal) => request('get', '/api/account/sessions', { signal, signedIn }),
  endSession: (id: string) => request('delete', '/api/account/sessions/{id}', { params: { id }, signedIn }),
  signOutEverywhere: () => request('post', '/api/account/sign-out-everywhere', { signedIn }),
  secondFactors: (signal: AbortSignal) => request('get', '/api/account/second-factors', { signal, signedIn }),
  linkChanges: (signal: AbortSignal) => request('get', '/api/me/link-changes', { signal, signedIn }),
  readExport: (signal: AbortSignal) => request('get', '/api/account/export', { signal, signedIn }),
  exportAccount: () => request('post', '/api/account/export', { signedIn }),
  deleteAccount: () =>
    request('post', '/api/account/deletion', { body: { confirmation: deletionPhrase }, signedIn }),
};
