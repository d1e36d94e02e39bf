import { request } from '../request.ts';

/** Calls of the dashboard only. Visitors' pages do not load them. */
export const proofApi = {
  heldMessages: (signal: AbortSignal) => request('get', '/api/me/held-messages', { signal, signedIn: true }),
  sendProofMail: () => request('post', '/api/me/proof-mails', { signedIn: true }),
};
