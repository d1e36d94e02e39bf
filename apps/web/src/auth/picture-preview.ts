import { currentSession } from './session.ts';
import { creatorApi } from '../api/creator-endpoints.ts';

/** A picture that its public address refuses, where the reader may see it all the same. */
export async function readPreview(id: string): Promise<string | undefined> {
  if (currentSession().status !== 'signed-in') return undefined;
  return creatorApi.previewPicture(id).then(
    ({ url }) => url,
    // It stays as empty as to everybody.
    () => undefined,
  );
}
