import { deliveryKeyHeader } from '@stoa/contracts';
import { makeOffering, uploadFile } from './creators.ts';
import { randomFile } from './files.ts';
import { dbPath } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';

/** What buyers do with a valid or invalid link, with the expected traces. */
export const downloadUseCases: readonly UseCase[] = [
  {
    name: 'open a download page',
    status: 200,
    request: async ({ creator: { token, uid } }) => {
      const { id } = await makeOffering(token);
      return { method: 'GET', path: `/api/downloads/${uid}/${id}`, token };
    },
    paths: [
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'offerings/download'),
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'creators/findName'),
    ],
  },
  {
    name: 'find the seller of a download link',
    status: 200,
    request: async ({ creator: { token, uid } }) => {
      const { id } = await makeOffering(token);
      return { method: 'GET', path: `/api/downloads/${uid}/${id}/seller` };
    },
    paths: [
      dbPath('GET /api/downloads/:creatorId/:offeringId/seller', 'offerings/findSeller'),
      dbPath('GET /api/downloads/:creatorId/:offeringId/seller', 'creators/findName'),
    ],
  },
  {
    name: 'download a file by key',
    status: 200,
    request: async ({ creator: { token, uid } }) => {
      const file = await uploadFile(token, randomFile(900));
      const offering = await makeOffering(token, { files: [{ id: file.id }] });
      const headers = { [deliveryKeyHeader]: offering.deliveryKey };
      return { method: 'GET', path: `/api/downloads/${uid}/${offering.id}`, headers };
    },
    paths: [
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'offerings/download'),
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'media/linkFile'),
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'creators/findName'),
    ],
  },
];
