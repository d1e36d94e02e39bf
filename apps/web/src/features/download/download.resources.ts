import type { Download, DownloadFile } from '@stoa/contracts';
import { deliveryKeyHeader } from '@stoa/contracts/facts';
import { request } from '../../api/request.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { currentSession } from '../../auth/session.ts';

export interface DownloadAddress {
  creatorId: string;
  offeringId: string;
  deliveryKey: string | undefined;
}

export function useDownload({ creatorId, offeringId, deliveryKey }: DownloadAddress): Resource<Download> {
  const session = currentSession();
  // Without a key the answer depends on who asks.
  const reader = deliveryKey ?? (session.status === 'signed-in' ? session.uid : '');
  return useResource(`download ${creatorId} ${offeringId} ${reader}`, (signal) =>
    readDownload({ creatorId, offeringId, deliveryKey }, signal),
  );
}

/** A key replaces the sign-in. */
export function readDownload(
  { creatorId, offeringId, deliveryKey }: DownloadAddress,
  signal?: AbortSignal,
): Promise<Download> {
  return request('get', '/api/downloads/{creatorId}/{offeringId}', {
    params: { creatorId, offeringId },
    headers: deliveryKey === undefined ? {} : { [deliveryKeyHeader]: deliveryKey },
    signal,
    signedIn: deliveryKey === undefined,
  });
}

/** The files to have, in their order. A gateway of the release before several tells of the first alone, without its id. */
export function filesOf({ file, mediaUrl, files }: Partial<Download>): DownloadFile[] {
  if (files?.length || !mediaUrl) return files ?? [];
  return [{ id: '', filename: '', size: 0, ...file, note: '', updatedAt: null, mediaUrl }];
}
