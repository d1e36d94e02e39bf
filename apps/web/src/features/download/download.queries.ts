import type { Download } from '@stoa/contracts';
import { deliveryKeyHeader } from '@stoa/contracts/facts';
import { request } from '../../api/request.ts';
import { publicOptions, type Read, useRead } from '../../api/public/public.queries.ts';
import { currentSession } from '../../auth/session.ts';

export interface DownloadAddress {
  creatorId: string;
  offeringId: string;
  deliveryKey: string | undefined;
}

export function useDownload({ creatorId, offeringId, deliveryKey }: DownloadAddress): Read<Download> {
  const session = currentSession();
  // Without a key the answer depends on the signed-in user.
  const reader = deliveryKey ?? (session.status === 'signed-in' ? session.uid : '');
  return useRead(
    publicOptions(['download', creatorId, offeringId, reader], (signal) =>
      readDownload({ creatorId, offeringId, deliveryKey }, signal),
    ),
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
