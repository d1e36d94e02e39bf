import type { ReportForm, ReviewDecision, ReviewQuery } from '@stoa/contracts';
import { request } from '../request.ts';

const signedIn = true;

/** Calls about reports, decisions and appeals. Visitors' pages and the editors do not load them. */
export const reviewApi = {
  report: (body: ReportForm) => request('post', '/api/reports', { body }),
  cases: ({ queue, cursor }: ReviewQuery, signal: AbortSignal) =>
    request('get', '/api/review/cases', { query: { queue, cursor }, signal, signedIn }),
  decide: (id: string, body: ReviewDecision) =>
    request('post', '/api/review/cases/{id}/decisions', { params: { id }, body, signedIn }),
  takedowns: (signal: AbortSignal) => request('get', '/api/me/takedowns', { signal, signedIn }),
  appeal: (id: string, text: string) =>
    request('post', '/api/me/takedowns/{id}/appeal', { params: { id }, body: { text }, signedIn }),
};
