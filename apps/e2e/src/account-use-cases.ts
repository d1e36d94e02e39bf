import { deletionPhrase } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchJson } from './api.ts';
import { makeAccount } from './creators.ts';
import { below, dbPath, eventPath, rpcPath, signOutPaths } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';

const deletion = 'POST /api/account/deletion';

const exporting = 'POST /api/account/export';

/** What users do on the account page, with the expected traces. */
export const accountUseCases: readonly UseCase[] = [
  {
    name: 'see the active sessions',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/account/sessions', token }),
    paths: [
      `${rpcPath('GET /api/account/sessions', 'identity/listSessions')} > identity keycloak`,
      dbPath('GET /api/account/sessions', 'identity/listSessions'),
    ],
  },
  {
    name: 'see the second factors',
    status: 200,
    request: async ({ creator: { token } }) => ({
      method: 'GET',
      path: '/api/account/second-factors',
      token,
    }),
    paths: [
      `${rpcPath('GET /api/account/second-factors', 'identity/listSecondFactors')} > identity keycloak`,
    ],
  },
  {
    name: 'end a session',
    status: 204,
    request: async () => {
      const { token } = await makeAccount();
      const { items } = await fetchJson<{ items: { id: string }[] }>('GET', '/api/account/sessions', {
        token,
      });
      return { method: 'DELETE', path: `/api/account/sessions/${items[0]?.id}`, token };
    },
    paths: signOutPaths('DELETE /api/account/sessions/:id', 'identity/endSession'),
  },
  {
    name: 'sign out everywhere',
    status: 204,
    request: async () => {
      const { token } = await makeAccount();
      return { method: 'POST', path: '/api/account/sign-out-everywhere', token };
    },
    paths: signOutPaths('POST /api/account/sign-out-everywhere', 'identity/signOutEverywhere'),
  },
  {
    name: 'see the changes of payment links',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/link-changes', token }),
    paths: [dbPath('GET /api/me/link-changes', 'identity/listLinkChanges')],
  },
  {
    name: 'see which links are dead',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/link-health', token }),
    paths: [dbPath('GET /api/me/link-health', 'contact/readLinkHealth')],
  },
  {
    name: 'request a check of a link that is not dead',
    status: 404,
    request: async ({ creator: { token } }) => ({
      method: 'POST',
      path: `/api/me/link-health/${randomUUID()}/looks`,
      token,
    }),
    paths: [dbPath('POST /api/me/link-health/:id/looks', 'contact/checkLink')],
  },
  {
    name: 'see the state of an export',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/account/export', token }),
    paths: [dbPath('GET /api/account/export', 'media/readExport')],
  },
  {
    name: 'export an account',
    status: 202,
    request: async () => {
      const { token } = await makeAccount();
      await fetchJson('POST', '/api/session', { token });
      return { method: 'POST', path: '/api/account/export', token };
    },
    // The collection of the records has a trace of its own, because a sweeper of the gateway starts it later.
    paths: [dbPath(exporting, 'media/startExport')],
  },
  {
    name: 'delete an account',
    status: 202,
    request: async () => {
      const { token } = await makeAccount();
      const body = { confirmation: deletionPhrase };
      return { method: 'POST', path: '/api/account/deletion', token, body };
    },
    paths: [
      dbPath(deletion, 'identity/deleteAccount'),
      ...below(
        rpcPath(deletion, 'identity/deleteAccount') + eventPath('identity.sessionEnded'),
        'gateway process events.identity.sessionEnded',
      ),
    ],
  },
];
