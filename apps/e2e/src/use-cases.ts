import { randomUUID } from 'node:crypto';
import { accountUseCases } from './account-use-cases.ts';
import type { RequestOptions } from './api.ts';
import {
  makeAccount,
  makeCreator,
  type TestCreator,
  makeOffering,
  offeringFields,
  postFile,
  renewToken,
  requestUpload,
  saveProfile,
  upload,
} from './creators.ts';
import { downloadUseCases } from './download-use-cases.ts';
import { randomFile } from './files.ts';
import { verifyEmail } from './keycloak-admin.ts';
import { randomPhoto } from './pictures.ts';
import { cardUseCases, listUseCases } from './list-use-cases.ts';
import { reviewUseCases } from './review-use-cases.ts';
import { saleUseCases } from './sale-use-cases.ts';
import { visitUseCases } from './visit-use-cases.ts';
import { below, dbPath, eventPath, mailPaths, movePath, payeePath, rpcPath } from './trace-paths.ts';

/** Data that all use cases share. */
export interface Scene {
  creator: TestCreator;
}

export interface UseCase {
  readonly name: string;
  readonly status: number;
  /** Prepares the use case, and returns the request whose trace the test checks. */
  readonly request: (scene: Scene) => Promise<{ method: string; path: string } & RequestOptions>;
  /** All paths from the browser to a last span. `~>` is a link to another trace. */
  readonly paths: readonly string[];
}

const sender = { name: 'Ada', email: 'ada@example.test' };
const makeMessage = () => ({ ...sender, id: randomUUID(), subject: 'Hi', message: 'Hello' });

const profile = { bio: 'Ink.', niches: ['Poet' as const] };

/** What users do with the product, each with the expected paths of its trace. */
export const useCases: readonly UseCase[] = [
  {
    name: 'sign up: the first session opens the records',
    status: 201,
    request: async () => ({ method: 'POST', path: '/api/session', token: (await makeAccount()).token }),
    paths: [
      dbPath('POST /api/session', 'identity/open'),
      `${rpcPath('POST /api/session', 'identity/open')} > identity publish events.identity.opened`,
      dbPath('POST /api/session', 'creators/open'),
      ...below(
        rpcPath('POST /api/session', 'creators/open') + eventPath('creators.opened'),
        'gateway process events.creators.opened',
        'media process events.creators.opened > media postgres',
        'identity process events.creators.opened > identity postgres',
      ),
    ],
  },
  {
    name: 'log in: a later session finds them',
    status: 200,
    request: async ({ creator }) => ({ method: 'POST', path: '/api/session', token: creator.token }),
    paths: [dbPath('POST /api/session', 'identity/open'), dbPath('POST /api/session', 'creators/open')],
  },
  {
    name: 'read the configuration of the site',
    status: 200,
    request: async () => ({ method: 'GET', path: '/api/config' }),
    paths: ['browser > gateway GET /api/config'],
  },
  {
    name: 'browse and search',
    status: 200,
    request: async () => ({ method: 'GET', path: `/api/creators?search=${randomUUID()}` }),
    paths: [dbPath('GET /api/creators', 'creators/browse')],
  },
  {
    name: 'view a profile',
    status: 200,
    request: async () => ({ method: 'GET', path: `/api/creators/${(await makeCreator()).username}` }),
    paths: [dbPath('GET /api/creators/:username', 'creators/find')],
  },
  {
    name: 'check a username at sign-up',
    status: 200,
    request: async () => ({ method: 'GET', path: `/api/usernames/${(await makeCreator()).username}` }),
    paths: [dbPath('GET /api/usernames/:username', 'creators/find')],
  },
  {
    name: "view a profile's offerings",
    status: 200,
    request: async () => ({
      method: 'GET',
      path: `/api/creators/${(await makeCreator()).username}/offerings`,
    }),
    paths: [
      dbPath('GET /api/creators/:username/offerings', 'creators/find'),
      dbPath('GET /api/creators/:username/offerings', 'offerings/listPublic'),
    ],
  },
  {
    name: 'view an offering',
    status: 200,
    request: async () => {
      const { username, token } = await makeCreator();
      const { slug } = await makeOffering(token);
      return { method: 'GET', path: `/api/creators/${username}/offerings/${slug}` };
    },
    paths: [
      dbPath('GET /api/creators/:username/offerings/:slug', 'creators/find'),
      dbPath('GET /api/creators/:username/offerings/:slug', 'offerings/findPublic'),
    ],
  },
  {
    name: 'open the page of an offering',
    status: 200,
    request: async () => {
      const { username, token } = await makeCreator();
      const { slug } = await makeOffering(token);
      return { method: 'GET', path: `/profile/${username}/${slug}` };
    },
    paths: [
      dbPath('GET /profile/:username/:slug', 'creators/find'),
      dbPath('GET /profile/:username/:slug', 'offerings/findPublic'),
      dbPath('GET /profile/:username/:slug', 'offerings/listPublic'),
    ],
  },
  {
    name: 'open the page of a profile',
    status: 200,
    request: async () => ({ method: 'GET', path: `/profile/${(await makeCreator()).username}` }),
    paths: [
      dbPath('GET /profile/:username', 'creators/find'),
      dbPath('GET /profile/:username', 'offerings/listPublic'),
    ],
  },
  {
    name: 'open the dashboard',
    status: 200,
    request: async ({ creator }) => ({ method: 'GET', path: '/api/me', token: creator.token }),
    paths: [dbPath('GET /api/me', 'creators/readOwn')],
  },
  {
    name: 'list own offerings',
    status: 200,
    request: async ({ creator }) => ({ method: 'GET', path: '/api/me/offerings', token: creator.token }),
    paths: [dbPath('GET /api/me/offerings', 'offerings/listOwn')],
  },
  {
    name: 'save a profile with a new picture',
    status: 200,
    request: async ({ creator: { token, displayName } }) => {
      const profileImageId = (await upload(token, 'profile-picture')).id;
      const socialLinks = { youtube: null, tiktok: null, instagram: null };
      const body = { ...profile, displayName, paygates: [], socialLinks, profileImageId };
      return { method: 'PUT', path: '/api/me/profile', token, body };
    },
    paths: [
      dbPath('PUT /api/me/profile', 'media/resolve'),
      dbPath('PUT /api/me/profile', 'creators/update'),
      ...below(
        rpcPath('PUT /api/me/profile', 'creators/update') + eventPath('creators.changed'),
        'gateway process events.creators.changed',
        'media process events.creators.changed > media postgres',
        'identity process events.creators.changed > identity postgres',
      ),
    ],
  },
  ...accountUseCases,
  {
    name: 'request an upload',
    status: 201,
    request: async ({ creator: { token } }) => {
      const body = { purpose: 'offering-cover', filename: 'a.jpg', contentType: 'image/jpeg', size: 900 };
      return { method: 'POST', path: '/api/uploads', token, body };
    },
    paths: [dbPath('POST /api/uploads', 'media/grant')],
  },
  {
    name: 'cancel an upload',
    status: 204,
    request: async ({ creator: { token } }) => {
      const { id } = await requestUpload(token, 'offering-cover', await randomPhoto());
      return { method: 'DELETE', path: `/api/uploads/${id}`, token };
    },
    paths: [
      dbPath('DELETE /api/uploads/:id', 'media/abandon'),
      `${rpcPath('DELETE /api/uploads/:id', 'media/abandon')} > media s3`,
    ],
  },
  {
    name: 'read the storage quota of an account',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/room', token }),
    paths: [dbPath('GET /api/me/room', 'media/readRoom')],
  },
  {
    name: 'complete an upload',
    status: 200,
    request: async ({ creator: { token } }) => {
      const file = await randomPhoto();
      const grant = await requestUpload(token, 'offering-cover', file);
      await postFile(grant, file);
      return { method: 'POST', path: `/api/uploads/${grant.id}/complete`, token };
    },
    paths: [
      dbPath('POST /api/uploads/:id/complete', 'media/complete'),
      `${rpcPath('POST /api/uploads/:id/complete', 'media/complete')} > media s3`,
    ],
  },
  {
    name: "complete an offering's file",
    status: 200,
    request: async ({ creator: { token } }) => {
      const file = randomFile(900);
      const grant = await requestUpload(token, 'offering-file', file);
      await postFile(grant, file);
      return { method: 'POST', path: `/api/uploads/${grant.id}/complete-file`, token };
    },
    paths: [
      dbPath('POST /api/uploads/:id/complete-file', 'media/complete'),
      `${rpcPath('POST /api/uploads/:id/complete-file', 'media/complete')} > media s3`,
    ],
  },
  {
    name: 'create an offering',
    status: 201,
    request: async ({ creator: { token } }) => {
      const body = { ...offeringFields(), coverImageId: (await upload(token, 'offering-cover')).id };
      return { method: 'POST', path: '/api/offerings', token, body };
    },
    paths: [
      dbPath('POST /api/offerings', 'media/resolve'),
      dbPath('POST /api/offerings', 'offerings/create'),
      ...below(
        rpcPath('POST /api/offerings', 'offerings/create') + eventPath('offerings.published'),
        'gateway process events.offerings.published',
        'media process events.offerings.published > media postgres',
        'creators process events.offerings.published > creators postgres',
        `creators process events.offerings.published${eventPath('creators.counted')}gateway process events.creators.counted`,
      ),
      payeePath('POST /api/offerings', 'offerings/create'),
      movePath('POST /api/offerings', 'offerings/create'),
    ],
  },
  {
    name: 'open an offering to edit it',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'GET', path: `/api/offerings/${id}`, token };
    },
    paths: [dbPath('GET /api/offerings/:id', 'offerings/readOwn')],
  },
  {
    name: 'change an offering',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      const body = { ...offeringFields(), title: 'Thirteen letters' };
      return { method: 'PUT', path: `/api/offerings/${id}`, token, body };
    },
    paths: [
      dbPath('PUT /api/offerings/:id', 'offerings/update'),
      ...below(
        rpcPath('PUT /api/offerings/:id', 'offerings/update') + eventPath('offerings.changed'),
        'gateway process events.offerings.changed',
        'media process events.offerings.changed > media postgres',
        'creators process events.offerings.changed',
      ),
      payeePath('PUT /api/offerings/:id', 'offerings/update'),
      movePath('PUT /api/offerings/:id', 'offerings/update'),
    ],
  },
  ...listUseCases,
  ...cardUseCases,
  ...visitUseCases,
  ...reviewUseCases,
  ...saleUseCases,
  {
    name: 'rotate a delivery key',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'POST', path: `/api/offerings/${id}/delivery-key`, token };
    },
    paths: [dbPath('POST /api/offerings/:id/delivery-key', 'offerings/rotateKey')],
  },
  {
    name: 'delete an offering',
    status: 204,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'DELETE', path: `/api/offerings/${id}`, token };
    },
    paths: [
      dbPath('DELETE /api/offerings/:id', 'offerings/remove'),
      ...below(
        rpcPath('DELETE /api/offerings/:id', 'offerings/remove') + eventPath('offerings.removed'),
        'gateway process events.offerings.removed',
        'media process events.offerings.removed > media postgres',
        'media process events.offerings.removed > media s3',
        'contact process events.offerings.removed > contact postgres',
        'creators process events.offerings.removed > creators postgres',
        `creators process events.offerings.removed${eventPath('creators.counted')}gateway process events.creators.counted`,
      ),
      payeePath('DELETE /api/offerings/:id', 'offerings/remove'),
    ],
  },
  ...downloadUseCases,
  {
    name: 'send a contact message',
    status: 202,
    request: async () => ({ method: 'POST', path: '/api/contact-messages', body: makeMessage() }),
    paths: [
      dbPath('POST /api/contact-messages', 'contact/send'),
      ...mailPaths('POST /api/contact-messages', 'contact/send'),
    ],
  },
  {
    name: 'send a message to a creator with a contact form',
    status: 202,
    request: async () => {
      const creator = await makeCreator();
      await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
      await verifyEmail(creator);
      return { method: 'POST', path: `/api/creators/${creator.username}/messages`, body: makeMessage() };
    },
    paths: [
      dbPath('POST /api/creators/:username/messages', 'creators/findMailbox'),
      dbPath('POST /api/creators/:username/messages', 'contact/relay'),
      ...mailPaths('POST /api/creators/:username/messages', 'contact/relay'),
    ],
  },
  {
    name: 'count the messages that wait for a confirmed address',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/held-messages', token }),
    paths: [dbPath('GET /api/me/held-messages', 'contact/countHeld')],
  },
  {
    name: 'request a confirmation mail for a confirmed address',
    status: 202,
    request: async () => {
      const creator = await makeCreator();
      await verifyEmail(creator);
      return { method: 'POST', path: '/api/me/proof-mails', token: await renewToken(creator) };
    },
    paths: [rpcPath('POST /api/me/proof-mails', 'identity/sendProof')],
  },
  {
    name: 'open a used link that undoes a change of the account',
    status: 404,
    request: async () => ({
      method: 'POST',
      path: '/api/account-changes/undo',
      body: { token: 'x'.repeat(43) },
    }),
    paths: [dbPath('POST /api/account-changes/undo', 'identity/undoChange')],
  },
  {
    name: 'open a used link that undoes a change of payment links',
    status: 404,
    request: async () => ({
      method: 'POST',
      path: '/api/link-changes/undo',
      body: { token: 'x'.repeat(43) },
    }),
    paths: [dbPath('POST /api/link-changes/undo', 'identity/undoLinkChange')],
  },
  {
    name: 'be refused for invalid input',
    status: 400,
    request: async ({ creator: { token } }) => ({ method: 'POST', path: '/api/offerings', token, body: {} }),
    paths: ['browser > gateway POST /api/offerings'],
  },
  {
    name: "be refused another creator's offering",
    status: 403,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering((await makeCreator()).token);
      return { method: 'GET', path: `/api/offerings/${id}`, token };
    },
    paths: [dbPath('GET /api/offerings/:id', 'offerings/readOwn')],
  },
  {
    name: 'be refused without a session',
    status: 401,
    request: async () => ({ method: 'GET', path: '/api/me' }),
    paths: ['browser > gateway GET /api/me'],
  },
];
