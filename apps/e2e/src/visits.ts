import type { Numbers, VisitForm } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchJson } from './api.ts';

/** Headers of a usual browser, because the gateway does not count visits of automated ones. */
export const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

export const makeVisit = (creatorId: string, more: Partial<VisitForm> = {}): VisitForm => ({
  id: randomUUID(),
  creatorId,
  kind: 'view',
  ...more,
});

export const readNumbers = (token: string): Promise<Numbers> =>
  fetchJson('GET', '/api/me/numbers?days=7', { token });
