import { randomUUID } from 'node:crypto';
import { makeCreator, makeOffering, saveProfile } from './creators.ts';
import { below, dbPath, eventPath, rpcPath } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';

/** What creators do with their list of offerings, with the expected traces. */
export const listUseCases: readonly UseCase[] = [
  {
    name: 'order offerings',
    status: 200,
    request: async () => {
      const { token } = await makeCreator();
      const { id } = await makeOffering(token);
      const body = { ids: [id], pinnedId: id };
      return { method: 'PUT', path: '/api/me/offerings/order', token, body };
    },
    paths: [
      dbPath('PUT /api/me/offerings/order', 'offerings/reorder'),
      ...below(
        rpcPath('PUT /api/me/offerings/order', 'offerings/reorder') + eventPath('offerings.changed'),
        'gateway process events.offerings.changed',
        'media process events.offerings.changed > media postgres',
        'creators process events.offerings.changed',
      ),
    ],
  },
  {
    name: 'duplicate an offering',
    status: 201,
    request: async ({ creator: { token } }) => {
      const { id } = await makeOffering(token);
      return { method: 'POST', path: `/api/offerings/${id}/duplicates`, token, body: { id: randomUUID() } };
    },
    paths: [
      dbPath('POST /api/offerings/:id/duplicates', 'offerings/duplicate'),
      ...below(
        rpcPath('POST /api/offerings/:id/duplicates', 'offerings/duplicate') + eventPath('offerings.changed'),
        'gateway process events.offerings.changed',
        'media process events.offerings.changed > media postgres',
        'creators process events.offerings.changed',
      ),
    ],
  },
];

const cardOf = 'GET /api/creators/:username/card.jpg';
const cardOfOffering = 'GET /api/creators/:username/offerings/:slug/card.jpg';

/** Link previews, whose card the media service draws, with the expected traces. */
export const cardUseCases: readonly UseCase[] = [
  {
    name: 'show the preview card of a profile',
    status: 302,
    request: async () => {
      const creator = await makeCreator();
      await saveProfile(creator.token, { displayName: creator.displayName });
      return { method: 'GET', path: `/api/creators/${creator.username}/card.jpg` };
    },
    paths: [
      dbPath(cardOf, 'creators/find'),
      dbPath(cardOf, 'media/drawCard'),
      `${rpcPath(cardOf, 'media/drawCard')} > media s3`,
    ],
  },
  {
    name: 'show the preview card of an offering',
    status: 302,
    request: async () => {
      const { token, username } = await makeCreator();
      const { slug } = await makeOffering(token);
      return { method: 'GET', path: `/api/creators/${username}/offerings/${slug}/card.jpg` };
    },
    paths: [
      dbPath(cardOfOffering, 'creators/find'),
      dbPath(cardOfOffering, 'offerings/findPublic'),
      dbPath(cardOfOffering, 'media/drawCard'),
      `${rpcPath(cardOfOffering, 'media/drawCard')} > media s3`,
    ],
  },
];
