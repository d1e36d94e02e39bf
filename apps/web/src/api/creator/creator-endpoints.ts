import type {
  NewOfferingForm,
  OfferingForm,
  OfferingOrderForm,
  ProfileForm,
  UploadRequest,
} from '@stoa/contracts';
import { request } from '../request.ts';

const signedIn = true;
const editOf = (version: number) => ({ 'If-Match': `"${version}"` });

/** Calls of the editors and the dashboard. Visitors' pages do not load them. */
export const creatorApi = {
  /** `version`: the version that the edit started from. */
  saveProfile: (body: ProfileForm, version: number) =>
    request('put', '/api/me/profile', { body, headers: editOf(version), signedIn }),

  myOfferings: (signal: AbortSignal) => request('get', '/api/me/offerings', { signal, signedIn }),
  reorderOfferings: (body: OfferingOrderForm, version: number) =>
    request('put', '/api/me/offerings/order', { body, headers: editOf(version), signedIn }),
  offering: (id: string, signal: AbortSignal) =>
    request('get', '/api/offerings/{id}', { params: { id }, signal, signedIn }),
  createOffering: (body: NewOfferingForm) => request('post', '/api/offerings', { body, signedIn }),
  updateOffering: (id: string, body: OfferingForm, version: number) =>
    request('put', '/api/offerings/{id}', { params: { id }, body, headers: editOf(version), signedIn }),
  deleteOffering: (id: string) => request('delete', '/api/offerings/{id}', { params: { id }, signedIn }),
  duplicateOffering: (id: string, duplicateId: string) =>
    request('post', '/api/offerings/{id}/duplicates', {
      params: { id },
      body: { id: duplicateId },
      signedIn,
    }),
  rotateDeliveryKey: (id: string) =>
    request('post', '/api/offerings/{id}/delivery-key', { params: { id }, signedIn }),
  requestUpload: (body: UploadRequest, signal: AbortSignal) =>
    request('post', '/api/uploads', { body, signal, signedIn }),
  readRoom: (signal: AbortSignal) => request('get', '/api/me/room', { signal, signedIn }),
  previewPicture: (id: string) => request('get', '/api/uploads/{id}/preview', { params: { id }, signedIn }),
  abandonUpload: (id: string) => request('delete', '/api/uploads/{id}', { params: { id }, signedIn }),
  completeUpload: (id: string, signal: AbortSignal) =>
    request('post', '/api/uploads/{id}/complete', { params: { id }, signal, signedIn }),
  completeFile: (id: string, signal: AbortSignal) =>
    request('post', '/api/uploads/{id}/complete-file', { params: { id }, signal, signedIn }),
};
