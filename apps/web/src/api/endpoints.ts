import type {
  ContactMessage,
  Niche,
  NewOfferingForm,
  OfferingForm,
  ProfileForm,
  UploadRequest,
} from '@stoa/contracts';
import { request, requestWithStatus } from './request.ts';

type Signal = AbortSignal | undefined;
const signedIn = true;
/** The gateway lets media look at a file for this long. */
const checkingMs = 45_000;

export interface BrowseFilter {
  search: string;
  niche: Niche | undefined;
}

/** Every operation of the HTTP API that this app uses. */
export const api = {
  browse: ({ search, niche }: BrowseFilter, cursor: string | undefined, signal: Signal) =>
    request('get', '/api/creators', { query: { search, niche, cursor }, signal }),
  creator: (username: string, signal: Signal) =>
    request('get', '/api/creators/{username}', { params: { username }, signal }),
  creatorOfferings: (username: string, signal: Signal) =>
    request('get', '/api/creators/{username}/offerings', { params: { username }, signal }),
  sendMessage: (body: ContactMessage) => request('post', '/api/contact-messages', { body }),
  writeToCreator: (username: string, body: ContactMessage) =>
    request('post', '/api/creators/{username}/messages', { params: { username }, body }),

  /** `isNew`: this very call made the creator's record, which is what a sign-up is. */
  openSession: async () => {
    const { status, body: creator } = await requestWithStatus('post', '/api/session', { signedIn });
    return { creator, isNew: status === 201 };
  },
  me: (signal: Signal) => request('get', '/api/me', { signal, signedIn }),
  saveProfile: (body: ProfileForm) => request('put', '/api/me/profile', { body, signedIn }),

  myOfferings: (signal: Signal) => request('get', '/api/me/offerings', { signal, signedIn }),
  offering: (id: string, signal: Signal) =>
    request('get', '/api/offerings/{id}', { params: { id }, signal, signedIn }),
  createOffering: (body: NewOfferingForm) => request('post', '/api/offerings', { body, signedIn }),
  updateOffering: (id: string, body: OfferingForm) =>
    request('put', '/api/offerings/{id}', { params: { id }, body, signedIn }),
  deleteOffering: (id: string) => request('delete', '/api/offerings/{id}', { params: { id }, signedIn }),
  rotateDeliveryKey: (id: string) =>
    request('post', '/api/offerings/{id}/delivery-key', { params: { id }, signedIn }),
  /** With a key nobody is asked who they are. */
  download: (creatorId: string, offeringId: string, key: string | undefined, signal: Signal) =>
    request('get', '/api/downloads/{creatorId}/{offeringId}', {
      params: { creatorId, offeringId },
      query: { key },
      signal,
      signedIn: key === undefined,
    }),

  requestUpload: (body: UploadRequest, signal: Signal) =>
    request('post', '/api/uploads', { body, signal, signedIn }),
  completeUpload: (id: string, signal: Signal) =>
    request('post', '/api/uploads/{id}/complete', {
      params: { id },
      signal,
      signedIn,
      longestMs: checkingMs,
    }),
  completeFile: (id: string, signal: Signal) =>
    request('post', '/api/uploads/{id}/complete-file', {
      params: { id },
      signal,
      signedIn,
      longestMs: checkingMs,
    }),
};
