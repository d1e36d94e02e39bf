import { deliveryKeyHeader, type SaleWithKey } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchJson } from './api.ts';
import { makeOffering, type TestCreator } from './creators.ts';
import { dbPath } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';

const makeSale = async ({ token }: TestCreator): Promise<SaleWithKey> => {
  const { id } = await makeOffering(token);
  const body = { offeringId: id, transactionId: randomUUID() };
  return fetchJson<SaleWithKey>('POST', '/api/sales', { token, body });
};

/** What creators and buyers do with the key of one sale, with the expected traces. */
export const saleUseCases: readonly UseCase[] = [
  {
    name: 'add a sale',
    status: 201,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      const body = { offeringId: id, transactionId: randomUUID() };
      return { method: 'POST', path: '/api/sales', token, body };
    },
    paths: [dbPath('POST /api/sales', 'offerings/addSale')],
  },
  {
    name: 'list sales',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/sales', token }),
    paths: [dbPath('GET /api/sales', 'offerings/listSales')],
  },
  {
    name: 'close a sale',
    status: 200,
    request: async ({ creator }) => {
      const { sale } = await makeSale(creator);
      const body = { state: 'refunded' };
      return { method: 'POST', path: `/api/sales/${sale.id}/closing`, token: creator.token, body };
    },
    paths: [dbPath('POST /api/sales/:id/closing', 'offerings/closeSale')],
  },
  {
    name: 'replace the key of a sale',
    status: 200,
    request: async ({ creator }) => {
      const { sale } = await makeSale(creator);
      return { method: 'POST', path: `/api/sales/${sale.id}/key`, token: creator.token };
    },
    paths: [dbPath('POST /api/sales/:id/key', 'offerings/replaceSaleKey')],
  },
  {
    name: 'open a download page with the key of a sale',
    status: 200,
    request: async ({ creator }) => {
      const { sale, key } = await makeSale(creator);
      const headers = { [deliveryKeyHeader]: key ?? '' };
      return { method: 'GET', path: `/api/downloads/${creator.uid}/${sale.offeringId}`, headers };
    },
    paths: [
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'offerings/download'),
      dbPath('GET /api/downloads/:creatorId/:offeringId', 'creators/findName'),
    ],
  },
];
