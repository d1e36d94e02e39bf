import { deliveryKeyHeader } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { ask, type Call } from './api.ts';
import {
  makeAccount,
  makeCreator,
  type MadeCreator,
  makeOffering,
  offeringFields,
  postFile,
  renewToken,
  requestUpload,
  saveProfile,
  upload,
  uploadFile,
} from './creators.ts';
import { aFile } from './files.ts';
import { proveAddress } from './keycloak-admin.ts';
import { aPhoto } from './pictures.ts';
import { asked, below, mailed, published, signedOut, stored } from './trace-ways.ts';

/** What is there before a use case begins. */
export interface Scene {
  creator: MadeCreator;
}

export interface UseCase {
  readonly name: string;
  readonly status: number;
  /** Asks what the case needs first, and answers the one request whose trace is walked. */
  readonly request: (scene: Scene) => Promise<{ method: string; path: string } & Call>;
  /** Every way from the browser to a last span; `~>` is a link. */
  readonly ways: readonly string[];
}

const aMessage = () => ({
  id: randomUUID(),
  name: 'Ada',
  email: 'ada@example.test',
  subject: 'Hi',
  message: 'Hello',
});

const profile = { bio: 'Ink.', niches: ['Poet' as const] };

/** The product's use cases as traces: who asks whom, and what follows by itself. */
export const useCases: readonly UseCase[] = [
  {
    name: 'sign up: the first session opens the records',
    status: 201,
    request: async () => ({ method: 'POST', path: '/api/session', token: (await makeAccount()).token }),
    ways: [
      stored('POST /api/session', 'identity/open'),
      `${asked('POST /api/session', 'identity/open')} > identity publish events.identity.opened`,
      stored('POST /api/session', 'creators/open'),
      ...below(
        asked('POST /api/session', 'creators/open') + published('creators.opened'),
        'gateway process events.creators.opened',
        'media process events.creators.opened > media postgres',
      ),
    ],
  },
  {
    name: 'log in: a later session finds them',
    status: 200,
    request: async ({ creator }) => ({ method: 'POST', path: '/api/session', token: creator.token }),
    ways: [stored('POST /api/session', 'identity/open'), stored('POST /api/session', 'creators/open')],
  },
  {
    name: 'learn where to sign in and where pictures lie',
    status: 200,
    request: async () => ({ method: 'GET', path: '/api/config' }),
    ways: ['browser > gateway GET /api/config'],
  },
  {
    name: 'browse and search',
    status: 200,
    request: async () => ({ method: 'GET', path: `/api/creators?search=${randomUUID()}` }),
    ways: [stored('GET /api/creators', 'creators/browse')],
  },
  {
    name: 'view a profile',
    status: 200,
    request: async () => ({ method: 'GET', path: `/api/creators/${(await makeCreator()).username}` }),
    ways: [stored('GET /api/creators/:username', 'creators/find')],
  },
  {
    name: "view a profile's offerings",
    status: 200,
    request: async () => ({
      method: 'GET',
      path: `/api/creators/${(await makeCreator()).username}/offerings`,
    }),
    ways: [
      stored('GET /api/creators/:username/offerings', 'creators/find'),
      stored('GET /api/creators/:username/offerings', 'offerings/listPublic'),
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
    ways: [
      stored('GET /api/creators/:username/offerings/:slug', 'creators/find'),
      stored('GET /api/creators/:username/offerings/:slug', 'offerings/findPublic'),
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
    ways: [
      stored('GET /profile/:username/:slug', 'creators/find'),
      stored('GET /profile/:username/:slug', 'offerings/findPublic'),
      stored('GET /profile/:username/:slug', 'offerings/listPublic'),
    ],
  },
  {
    name: 'open the page of a profile',
    status: 200,
    request: async () => ({ method: 'GET', path: `/profile/${(await makeCreator()).username}` }),
    ways: [
      stored('GET /profile/:username', 'creators/find'),
      stored('GET /profile/:username', 'offerings/listPublic'),
    ],
  },
  {
    name: 'open the dashboard',
    status: 200,
    request: async ({ creator }) => ({ method: 'GET', path: '/api/me', token: creator.token }),
    ways: [stored('GET /api/me', 'creators/readOwn')],
  },
  {
    name: 'list own offerings',
    status: 200,
    request: async ({ creator }) => ({ method: 'GET', path: '/api/me/offerings', token: creator.token }),
    ways: [stored('GET /api/me/offerings', 'offerings/listOwn')],
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
    ways: [
      stored('PUT /api/me/profile', 'media/resolve'),
      stored('PUT /api/me/profile', 'creators/update'),
      ...below(
        asked('PUT /api/me/profile', 'creators/update') + published('creators.changed'),
        'gateway process events.creators.changed',
        'media process events.creators.changed > media postgres',
      ),
    ],
  },
  {
    name: 'see where one is signed in',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/account/sessions', token }),
    ways: [`${asked('GET /api/account/sessions', 'identity/listSessions')} > identity keycloak`],
  },
  {
    name: 'end a session',
    status: 204,
    request: async () => {
      const { token } = await makeAccount();
      const { items } = await ask<{ items: { id: string }[] }>('GET', '/api/account/sessions', { token });
      return { method: 'DELETE', path: `/api/account/sessions/${items[0]?.id}`, token };
    },
    ways: signedOut('DELETE /api/account/sessions/:id', 'identity/endSession'),
  },
  {
    name: 'sign out everywhere',
    status: 204,
    request: async () => {
      const { token } = await makeAccount();
      return { method: 'POST', path: '/api/account/sign-out-everywhere', token };
    },
    ways: signedOut('POST /api/account/sign-out-everywhere', 'identity/signOutEverywhere'),
  },
  {
    name: 'ask for an upload',
    status: 201,
    request: async ({ creator: { token } }) => {
      const body = { purpose: 'offering-cover', filename: 'a.jpg', contentType: 'image/jpeg', size: 900 };
      return { method: 'POST', path: '/api/uploads', token, body };
    },
    ways: [stored('POST /api/uploads', 'media/grant')],
  },
  {
    name: 'complete an upload',
    status: 200,
    request: async ({ creator: { token } }) => {
      const file = await aPhoto();
      const grant = await requestUpload(token, 'offering-cover', file);
      await postFile(grant, file);
      return { method: 'POST', path: `/api/uploads/${grant.id}/complete`, token };
    },
    ways: [
      stored('POST /api/uploads/:id/complete', 'media/complete'),
      `${asked('POST /api/uploads/:id/complete', 'media/complete')} > media s3`,
    ],
  },
  {
    name: "complete an offering's file",
    status: 200,
    request: async ({ creator: { token } }) => {
      const file = aFile(900);
      const grant = await requestUpload(token, 'offering-file', file);
      await postFile(grant, file);
      return { method: 'POST', path: `/api/uploads/${grant.id}/complete-file`, token };
    },
    ways: [
      stored('POST /api/uploads/:id/complete-file', 'media/completeFile'),
      `${asked('POST /api/uploads/:id/complete-file', 'media/completeFile')} > media s3`,
    ],
  },
  {
    name: 'create an offering',
    status: 201,
    request: async ({ creator: { token } }) => {
      const body = { ...offeringFields(), coverImageId: (await upload(token, 'offering-cover')).id };
      return { method: 'POST', path: '/api/offerings', token, body };
    },
    ways: [
      stored('POST /api/offerings', 'media/resolve'),
      stored('POST /api/offerings', 'offerings/create'),
      ...below(
        asked('POST /api/offerings', 'offerings/create') + published('offerings.published'),
        'gateway process events.offerings.published',
        'media process events.offerings.published > media postgres',
        'creators process events.offerings.published > creators postgres',
        `creators process events.offerings.published${published('creators.counted')}gateway process events.creators.counted`,
      ),
    ],
  },
  {
    name: 'open an offering to edit it',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'GET', path: `/api/offerings/${id}`, token };
    },
    ways: [stored('GET /api/offerings/:id', 'offerings/readOwn')],
  },
  {
    name: 'change an offering',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      const body = { ...offeringFields(), title: 'Thirteen letters' };
      return { method: 'PUT', path: `/api/offerings/${id}`, token, body };
    },
    ways: [
      stored('PUT /api/offerings/:id', 'offerings/update'),
      ...below(
        asked('PUT /api/offerings/:id', 'offerings/update') + published('offerings.changed'),
        'gateway process events.offerings.changed',
        'media process events.offerings.changed > media postgres',
        'creators process events.offerings.changed',
      ),
    ],
  },
  {
    name: 'rotate a delivery key',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'POST', path: `/api/offerings/${id}/delivery-key`, token };
    },
    ways: [stored('POST /api/offerings/:id/delivery-key', 'offerings/rotateKey')],
  },
  {
    name: 'delete an offering',
    status: 204,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'DELETE', path: `/api/offerings/${id}`, token };
    },
    ways: [
      stored('DELETE /api/offerings/:id', 'offerings/remove'),
      ...below(
        asked('DELETE /api/offerings/:id', 'offerings/remove') + published('offerings.removed'),
        'gateway process events.offerings.removed',
        'media process events.offerings.removed > media postgres',
        'media process events.offerings.removed > media s3',
        'creators process events.offerings.removed > creators postgres',
        `creators process events.offerings.removed${published('creators.counted')}gateway process events.creators.counted`,
      ),
    ],
  },
  {
    name: 'look at a download',
    status: 200,
    request: async ({ creator: { token, uid } }) => {
      const { id } = await makeOffering(token);
      return { method: 'GET', path: `/api/downloads/${uid}/${id}`, token };
    },
    ways: [
      stored('GET /api/downloads/:creatorId/:offeringId', 'offerings/download'),
      stored('GET /api/downloads/:creatorId/:offeringId', 'creators/findName'),
    ],
  },
  {
    name: 'download a file by key',
    status: 200,
    request: async ({ creator: { token, uid } }) => {
      const offering = await makeOffering(token, { fileId: (await uploadFile(token, aFile(900))).id });
      const headers = { [deliveryKeyHeader]: offering.deliveryKey };
      return { method: 'GET', path: `/api/downloads/${uid}/${offering.id}`, headers };
    },
    ways: [
      stored('GET /api/downloads/:creatorId/:offeringId', 'offerings/download'),
      stored('GET /api/downloads/:creatorId/:offeringId', 'media/linkFile'),
      stored('GET /api/downloads/:creatorId/:offeringId', 'creators/findName'),
    ],
  },
  {
    name: 'send a contact message',
    status: 202,
    request: async () => ({ method: 'POST', path: '/api/contact-messages', body: aMessage() }),
    ways: [
      stored('POST /api/contact-messages', 'contact/send'),
      ...mailed('POST /api/contact-messages', 'contact/send'),
    ],
  },
  {
    name: 'write to a creator who takes mail by form',
    status: 202,
    request: async () => {
      const creator = await makeCreator();
      await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
      await proveAddress(creator);
      return { method: 'POST', path: `/api/creators/${creator.username}/messages`, body: aMessage() };
    },
    ways: [
      stored('POST /api/creators/:username/messages', 'creators/findMailbox'),
      stored('POST /api/creators/:username/messages', 'contact/relay'),
      ...mailed('POST /api/creators/:username/messages', 'contact/relay'),
    ],
  },
  {
    name: 'see how many messages wait for a proved address',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/held-messages', token }),
    ways: [stored('GET /api/me/held-messages', 'contact/countHeld')],
  },
  {
    name: 'ask for a mail that proves an address which is proved already',
    status: 202,
    request: async () => {
      const creator = await makeCreator();
      await proveAddress(creator);
      return { method: 'POST', path: '/api/me/proof-mails', token: await renewToken(creator) };
    },
    ways: [asked('POST /api/me/proof-mails', 'identity/sendProof')],
  },
  {
    name: 'follow a link that takes a change back and has been used',
    status: 404,
    request: async () => ({
      method: 'POST',
      path: '/api/account-changes/undo',
      body: { token: 'x'.repeat(43) },
    }),
    ways: [stored('POST /api/account-changes/undo', 'identity/undoChange')],
  },
  {
    name: 'be refused for what was typed',
    status: 400,
    request: async ({ creator: { token } }) => ({ method: 'POST', path: '/api/offerings', token, body: {} }),
    ways: ['browser > gateway POST /api/offerings'],
  },
  {
    name: "be refused somebody else's offering",
    status: 403,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering((await makeCreator()).token);
      return { method: 'GET', path: `/api/offerings/${id}`, token };
    },
    ways: [stored('GET /api/offerings/:id', 'offerings/readOwn')],
  },
  {
    name: 'be refused without a session',
    status: 401,
    request: async () => ({ method: 'GET', path: '/api/me' }),
    ways: ['browser > gateway GET /api/me'],
  },
];
