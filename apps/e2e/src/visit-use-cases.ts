import { randomUUID } from 'node:crypto';
import { makeOffering } from './creators.ts';
import { dbPath } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';
import { makeVisit, browserHeaders } from './visits.ts';

/** Counted visits, with the expected traces. */
export const visitUseCases: readonly UseCase[] = [
  {
    name: "count a visit of a creator's page",
    status: 204,
    request: async ({ creator: { uid, token } }) => {
      const offeringId = (await makeOffering(token)).id;
      const body = makeVisit(uid, { offeringId, referrer: 'example.org' });
      return { method: 'POST', path: '/api/visits', body, headers: browserHeaders };
    },
    paths: [
      'browser > gateway POST /api/visits > gateway publish visits.gateway.counted ~> creators process visits.gateway.counted > creators postgres',
    ],
  },
  {
    name: 'ignore a visit of a bot',
    status: 204,
    request: async ({ creator: { uid } }) => {
      const headers = { 'user-agent': `Googlebot/${randomUUID()}` };
      return { method: 'POST', path: '/api/visits', body: makeVisit(uid), headers };
    },
    paths: ['browser > gateway POST /api/visits'],
  },
  {
    name: 'read own numbers',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/numbers', token }),
    paths: [dbPath('GET /api/me/numbers', 'creators/readNumbers')],
  },
  {
    name: 'read own numbers as CSV',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/numbers.csv', token }),
    paths: [
      dbPath('GET /api/me/numbers.csv', 'creators/listVisits'),
      dbPath('GET /api/me/numbers.csv', 'offerings/listOwn'),
    ],
  },
];
