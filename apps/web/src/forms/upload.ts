import type { Picture, PicturePurpose, StoredFile, UploadGrant, UploadPurpose } from '@stoa/contracts';
import { creatorApi } from '../api/creator-endpoints.ts';
import { refreshAccountRoom } from '../api/account-room.queries.ts';
import { ApiError } from '../api/http.ts';
import { whenChecked } from './when-checked.ts';

/** Brings a picture to the storage and has it checked; the finished picture can be attached to a record. */
export async function uploadPicture(
  purpose: PicturePurpose,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Picture> {
  return bring(purpose, file, onProgress, signal, creatorApi.completeUpload);
}

/** Brings a file that an offering delivers to the storage; the finished upload can be attached to an offering. */
export async function uploadFile(
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  return bring('offering-file', file, onProgress, signal, creatorApi.completeFile);
}

async function bring<T>(
  purpose: UploadPurpose,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  complete: (id: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { name: filename, size, type: contentType } = file;
  const grant = await creatorApi.requestUpload({ purpose, filename, contentType, size }, signal);
  try {
    await post(grant, file, onProgress, signal);
    return await whenChecked(() => complete(grant.id, signal), signal);
  } catch (error) {
    // Its room is free for the next try; where that fails, the server frees it later.
    await creatorApi.abandonUpload(grant.id).catch(() => undefined);
    throw error;
  } finally {
    refreshAccountRoom();
  }
}

// XMLHttpRequest, because fetch cannot tell how much of a body has been sent.
function post(grant: UploadGrant, file: File, onProgress: (fraction: number) => void, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(grant.fields)) body.append(name, value);
    body.append('file', file);

    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onabort = () => reject(new DOMException('Upload cancelled', 'AbortError'));
    request.onerror = () => reject(new ApiError('unreachable', 'The storage did not answer'));
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new ApiError('internal', `The storage answered ${request.status}`));
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open('POST', grant.url);
    request.send(body);
  });
}
