import type {
  ContactMessage,
  ContactReceipt,
  Creator,
  CreatorPage,
  Download,
  NewOfferingForm,
  Offering,
  OfferingForm,
  Picture,
  ProfileForm,
  PublicCreator,
  PublicOffering,
  UploadGrant,
  UploadRequest,
} from '@stoa/contracts';
import { call, get } from './http.ts';

type Signal = AbortSignal | undefined;
const signedIn = true;
const part = encodeURIComponent;

export interface BrowseFilter {
  search: string;
  niche: string | undefined;
}

/** Every operation of the HTTP API that this app uses. */
export const api = {
  browse: ({ search, niche }: BrowseFilter, cursor: string | undefined, signal: Signal) =>
    get<CreatorPage>('/api/creators', { query: { search, niche, cursor }, signal }),
  creator: (username: string, signal: Signal) =>
    get<PublicCreator>(`/api/creators/${part(username)}`, { signal }),
  creatorOfferings: (username: string, signal: Signal) =>
    get<{ items: PublicOffering[] }>(`/api/creators/${part(username)}/offerings`, { signal }),
  sendMessage: (body: ContactMessage) => call<ContactReceipt>('POST', '/api/contact-messages', { body }),

  openSession: () => call<Creator>('POST', '/api/session', { signedIn }),
  me: (signal: Signal) => get<Creator>('/api/me', { signal, signedIn }),
  saveProfile: (body: ProfileForm) => call<Creator>('PUT', '/api/me/profile', { body, signedIn }),

  myOfferings: (signal: Signal) => get<{ items: Offering[] }>('/api/me/offerings', { signal, signedIn }),
  offering: (id: string, signal: Signal) => get<Offering>(`/api/offerings/${part(id)}`, { signal, signedIn }),
  createOffering: (body: NewOfferingForm) => call<Offering>('POST', '/api/offerings', { body, signedIn }),
  updateOffering: (id: string, body: OfferingForm) =>
    call<Offering>('PUT', `/api/offerings/${part(id)}`, { body, signedIn }),
  deleteOffering: (id: string) => call<undefined>('DELETE', `/api/offerings/${part(id)}`, { signedIn }),
  download: (creatorId: string, offeringId: string, signal: Signal) =>
    get<Download | null>(`/api/downloads/${part(creatorId)}/${part(offeringId)}`, { signal, signedIn }),

  requestUpload: (body: UploadRequest, signal: Signal) =>
    call<UploadGrant>('POST', '/api/uploads', { body, signal, signedIn }),
  completeUpload: (id: string, signal: Signal) =>
    call<Picture>('POST', `/api/uploads/${part(id)}/complete`, { signal, signedIn }),
};
