import { creators, limits, offerings, type ReviewCase } from '@stoa/contracts';
import { makeCaller, makePublicCreator, makePublicOffering, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const at = '2026-01-01T00:00:00.000Z';
const ama = makePublicCreator({ username: 'ama' });
const letters = { id: randomUUID(), slug: 'letters', title: 'Letters' };
let gateway: GatewayUnderTest;
let services: ServiceStubs;
let address = 0;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ settings: { TRUST_PROXY: '1' } });
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const offering = makePublicOffering({ ...letters, creatorId: ama.uid, publishedAt: at });
const aReport = (more: object = {}) => ({
  ...{ id: randomUUID(), username: 'ama', reason: 'fraud', text: 'It asks for my password.' },
  ...more,
});
const send = (body: object, from = `192.0.2.${(address += 1)}`) =>
  fetch(`${gateway.url}/api/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });

async function asOperator(path: string, init: RequestInit = {}): Promise<Response> {
  const token = await gateway.token(makeCaller({ isOperator: true }));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${gateway.url}/api/review/cases${path}`, { ...init, headers });
}

const caseOf = (more: Partial<ReviewCase> = {}): ReviewCase => ({
  ...{ id: randomUUID(), creatorId: ama.uid, username: 'ama', displayName: 'Ama', offering: letters },
  ...{ status: 'open', openedAt: at, content: null, reports: 1, steps: [] },
  ...more,
});
const counts = { waiting: 2, hidden: 0, closed: 0 };
const content = { title: 'Letters', text: '€1', links: ['https://pay.example.com/'], picture: null };
const profileContent = { title: 'Ama', text: 'Ink.', links: [], picture: null };

test('a report has the current slug of its offering, and a hash of the sender network [gateway-64]', async () => {
  await services.answer(creators.find, ama);
  const found = await services.answer(offerings.findPublic, offering);
  const kept = await services.answer(creators.report, { id: randomUUID() });
  const report = aReport({ slug: 'old-letters' });
  expect((await send(report)).status).toBe(202);
  expect(found).toEqual([{ creatorId: ama.uid, slug: 'old-letters' }]);
  const { id, reason, text } = report;
  const source = expect.stringMatching(/^[\w-]{22}$/);
  expect(kept).toEqual([{ id, reason, text, creatorId: ama.uid, offering: letters, source }]);
});

test('a report of a profile sends no request to offerings', async () => {
  await services.answer(creators.find, ama);
  const kept = await services.answer(creators.report, { id: randomUUID() });
  expect((await send(aReport())).status).toBe(202);
  expect(kept).toMatchObject([{ creatorId: ama.uid, offering: null }]);
});

test('a report of an unknown profile is 404, and an invalid report is 400', async () => {
  await services.refuse(creators.find, 'not_found');
  expect((await send(aReport())).status).toBe(404);
  expect((await send(aReport({ reason: 'dislike' }))).status).toBe(400);
  expect((await send(aReport({ text: 'x'.repeat(limits.reportLength + 1) }))).status).toBe(400);
});

test('reports are limited per hour and network address [gateway-65]', async () => {
  await services.refuse(creators.find, 'not_found');
  const statuses: number[] = [];
  for (let sent = 0; sent <= limits.reportsPerHour; sent += 1)
    statuses.push((await send(aReport(), '198.51.100.7')).status);
  expect(statuses.slice(0, -1)).toEqual(Array.from({ length: limits.reportsPerHour }, () => 404));
  expect(statuses.at(-1)).toBe(429);
  expect((await send(aReport(), '198.51.100.8')).status).toBe(404);
});

test('an operator reads the queue with the public content of profiles and offerings', async () => {
  const [one, other] = [caseOf(), caseOf({ offering: null, content: profileContent })];
  const asked = await services.answer(creators.listCases, {
    items: [one, other],
    nextCursor: 'next',
    counts,
  });
  await services.answer(offerings.listForReview, { items: [{ id: letters.id, ...content }] });
  const response = await asOperator('?queue=hidden&cursor=before');
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(await response.json()).toEqual({
    items: [{ ...one, content }, other],
    ...{ nextCursor: 'next', counts },
  });
  expect(asked).toEqual([{ queue: 'hidden', cursor: 'before' }]);
});

test('while offerings is down the queue omits the content of offerings', async () => {
  await services.answer(creators.listCases, { items: [caseOf()], nextCursor: null, counts });
  const response = await asOperator('');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ items: [{ content: null }] });
});

test('a decision is sent to creators and returns the case', async () => {
  const decided = caseOf({ status: 'hidden' });
  const asked = await services.answer(creators.decide, decided);
  await services.answer(offerings.listForReview, { items: [{ id: letters.id, ...content }] });
  const decision = { decision: 'hide', reason: 'fraud', text: 'It asks for passwords.' };
  const body = JSON.stringify(decision);
  const response = await asOperator(`/${decided.id}/decisions`, { method: 'POST', body });
  expect([response.status, await response.json()]).toEqual([200, { ...decided, content }]);
  expect(asked).toEqual([{ id: decided.id, ...decision }]);
});

test('a second appeal is 409', async () => {
  await services.refuse(creators.appeal, 'conflict');
  const token = await gateway.token(makeCaller());
  const response = await fetch(`${gateway.url}/api/me/takedowns/${randomUUID()}/appeal`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Look again.' }),
  });
  expect(response.status).toBe(409);
});

test('a hidden profile is removed with its event, also while creators is down [gateway-66]', async () => {
  const zoe = makePublicCreator({ username: 'zoe' });
  await services.answer(creators.find, zoe);
  const read = () => fetch(`${gateway.url}/api/creators/zoe`);
  expect((await read()).status).toBe(200);
  await services.leave();
  expect((await read()).status).toBe(200);
  const announcer = await gateway.connectAs('creators');
  const facts = { id: randomUUID(), uid: zoe.uid, offering: null, reason: 'fraud', text: '', at };
  announcer.publish(creators.reviewed.subject, JSON.stringify({ ...facts, outcome: 'hidden' }));
  await announcer.flush();
  await announcer.close();
  await waitFor(async () => expect((await read()).status).toBe(503));
});
