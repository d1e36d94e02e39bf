import { request } from './request.ts';

/** Operations of the dashboard alone: pages of visitors do not load them. */
export const proofApi = {
  heldMessages: (signal: AbortSignal) => request('get', '/api/me/held-messages', { signal, signedIn: true }),
  sendProofMail: () => request('post', '/api/me/proof-mails', { signedIn: true }),
};
