import type { Picture, PicturePurpose, StoredFile, UploadGrant, UploadPurpose } from '@stoa/contracts';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { refreshAccountRoom } from '../../api/creator/account-room.queries.ts';
import { ApiError } from '../../api/http.ts';
import { whenChecked } from './when-checked.ts';

/** Uploads a picture and waits for its check. The result can be attached to a record. */
export async function uploadPicture(
  purpose: PicturePurpose,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Picture> {
  return uploadAndCheck(purpose, file, onProgress, signal, creatorApi.completeUpload);
}

/** Uploads a file that an offering delivers. The result can be attached to an offering. */
export async function uploadFile(
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  return uploadAndCheck('offering-file', file, onProgress, signal, creatorApi.completeFile);
}

async function uploadAndCheck<T>(
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
    // Its storage is free once the grant has expired. If this call fails, the server frees it later.
    await creatorApi.abandonUpload(grant.id).catch(() => undefined);
    throw error;
  } finally {
    refreshAccountRoom();
  }
}

// XMLHttpRequest, since fetch does not report the progress of an upload.
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
