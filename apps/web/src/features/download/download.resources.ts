import type { Download } from '@stoa/contracts';
import { api } from '../../api/endpoints.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { currentSession } from '../../auth/session.ts';

interface Address {
  creatorId: string;
  offeringId: string;
  deliveryKey: string | undefined;
}

export function useDownload({ creatorId, offeringId, deliveryKey }: Address): Resource<Download> {
  const session = currentSession();
  // Without a key the answer depends on who asks.
  const reader = deliveryKey ?? (session.status === 'signed-in' ? session.uid : '');
  return useResource(`download ${creatorId} ${offeringId} ${reader}`, (signal) =>
    api.download(creatorId, offeringId, deliveryKey, signal),
  );
}
