import type { ReviewCaseList, ReviewDecision } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson } from './api.ts';
import { makeCreator, makeOffering, renewToken, type TestCreator, upload } from './creators.ts';
import { makeOperatorOf } from './keycloak-admin.ts';
import { below, dbPath, eventPath, rpcPath } from './trace-paths.ts';
import type { UseCase } from './use-cases.ts';

export const makeReport = (username: string, slug?: string) => ({
  ...{ id: randomUUID(), username, reason: 'fraud' as const, text: 'It asks for my password.' },
  ...(slug !== undefined && { slug }),
});

/** Creates an operator. The token is new, because an older one lacks the role. */
export async function makeOperator() {
  const operator = await makeCreator();
  await makeOperatorOf(operator.uid);
  return { ...operator, token: await renewToken(operator) };
}

/** Reports a page, and returns the id of its case in the operators' queue. */
export async function openCase(
  token: string,
  { uid, username }: TestCreator,
  slug?: string,
): Promise<string> {
  await fetchJson('POST', '/api/reports', { body: makeReport(username, slug) });
  for (let path: string | undefined = '/api/review/cases'; path;) {
    const { items, nextCursor }: ReviewCaseList = await fetchJson('GET', path, { token });
    const found = items.find(({ creatorId }) => creatorId === uid);
    if (found) return found.id;
    path = nextCursor ? `/api/review/cases?cursor=${encodeURIComponent(nextCursor)}` : undefined;
  }
  throw new Error('The report is not in the queue.');
}

const maxTries = 3;

/**
 * Decides about a case, and tries again after a timeout. If the first request succeeded nevertheless, the second gets
 * `conflict`, which is no error here.
 * @throws Error for any other refusal, or if all requests time out
 */
export async function decide(token: string, caseId: string, body: ReviewDecision): Promise<void> {
  const path = `/api/review/cases/${caseId}/decisions`;
  for (let tries = 1; ; tries += 1) {
    const response = await fetchApi('POST', path, { token, body });
    const text = await response.text();
    if (response.ok || (response.status === 409 && tries > 1)) return;
    if (response.status !== 504 || tries === maxTries) throw new Error(`${path}: ${response.status} ${text}`);
  }
}

async function aCase() {
  const creator = await makeCreator();
  const { slug } = await makeOffering(creator.token);
  const { token } = await makeOperator();
  return { id: await openCase(token, creator, slug), token, creator };
}

const decision = 'POST /api/review/cases/:id/decisions';
const hiding: ReviewDecision = { decision: 'hide', reason: 'fraud', text: 'It asks for passwords.' };

/** Reports, decisions and appeals, with the expected traces. */
export const reviewUseCases: readonly UseCase[] = [
  {
    name: 'report an offering',
    status: 202,
    request: async () => {
      const { username, token } = await makeCreator();
      const { slug } = await makeOffering(token);
      return { method: 'POST', path: '/api/reports', body: makeReport(username, slug) };
    },
    paths: [
      dbPath('POST /api/reports', 'creators/find'),
      dbPath('POST /api/reports', 'offerings/findPublic'),
      dbPath('POST /api/reports', 'creators/report'),
    ],
  },
  {
    name: 'read the reported cases',
    status: 200,
    request: async () => ({ method: 'GET', path: '/api/review/cases', token: (await aCase()).token }),
    paths: [
      dbPath('GET /api/review/cases', 'creators/listCases'),
      dbPath('GET /api/review/cases', 'offerings/listForReview'),
    ],
  },
  {
    name: 'hide an offering',
    status: 200,
    request: async () => {
      const { id, token } = await aCase();
      return { method: 'POST', path: `/api/review/cases/${id}/decisions`, token, body: hiding };
    },
    paths: [
      dbPath(decision, 'creators/decide'),
      dbPath(decision, 'offerings/listForReview'),
      ...below(
        rpcPath(decision, 'creators/decide') + eventPath('creators.reviewed'),
        'gateway process events.creators.reviewed',
        'offerings process events.creators.reviewed > offerings postgres',
        'identity process events.creators.reviewed > identity postgres',
        'media process events.creators.reviewed > media postgres',
        'media process events.creators.reviewed > media s3',
      ),
      ...below(
        `${rpcPath(decision, 'creators/decide')}${eventPath('creators.reviewed')}offerings process events.creators.reviewed${eventPath('offerings.changed')}`,
        'creators process events.offerings.changed > creators postgres',
        'creators process events.offerings.changed > creators publish events.creators.counted ~> gateway process events.creators.counted',
        'gateway process events.offerings.changed',
        'media process events.offerings.changed > media postgres',
      ),
      ...below(
        `${rpcPath(decision, 'creators/decide')}${eventPath('creators.reviewed')}offerings process events.creators.reviewed${eventPath('offerings.linksListed')}`,
        'contact process events.offerings.linksListed > contact postgres',
        'creators process events.offerings.linksListed > creators postgres',
      ),
    ],
  },
  {
    name: 'read own takedowns',
    status: 200,
    request: async ({ creator: { token } }) => ({ method: 'GET', path: '/api/me/takedowns', token }),
    paths: [dbPath('GET /api/me/takedowns', 'creators/listTakedowns')],
  },
  {
    name: 'preview an own picture',
    status: 200,
    request: async ({ creator: { token } }) => {
      const { id } = await upload(token, 'offering-cover');
      return { method: 'GET', path: `/api/uploads/${id}/preview`, token };
    },
    paths: [
      dbPath('GET /api/uploads/:id/preview', 'media/previewPicture'),
      `${rpcPath('GET /api/uploads/:id/preview', 'media/previewPicture')} > media s3`,
    ],
  },
  {
    name: 'appeal',
    status: 200,
    request: async () => {
      const { id, token, creator } = await aCase();
      await decide(token, id, hiding);
      const body = { text: 'It is my shop.' };
      return { method: 'POST', path: `/api/me/takedowns/${id}/appeal`, token: creator.token, body };
    },
    paths: [dbPath('POST /api/me/takedowns/:id/appeal', 'creators/appeal')],
  },
];
