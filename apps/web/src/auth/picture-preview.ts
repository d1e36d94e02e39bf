import { currentSession } from './session.ts';
import { creatorApi } from '../api/creator/creator-endpoints.ts';

/** The address of a picture that its public address refuses but that its owner may see. */
export async function readPreview(id: string): Promise<string | undefined> {
  if (currentSession().status !== 'signed-in') return undefined;
  return creatorApi.previewPicture(id).then(
    ({ url }) => url,
    // The picture stays empty, as for visitors.
    () => undefined,
  );
}
