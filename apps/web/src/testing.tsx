import type { Creator, PublicCreator } from '@stoa/contracts';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createBrowserRouter, createMemoryRouter, RouterProvider } from 'react-router-dom';

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | null | undefined;
}

type Answer = (asked: RecordedRequest) => Response | Promise<Response>;

/** Stands in for the gateway; answers with what was asked of it, in order. */
export function fakeApi(answer: Answer): RecordedRequest[] {
  const log: RecordedRequest[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url, location.origin);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const asked = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      headers: new Headers(init.headers),
      body,
      signal: init.signal,
    };
    log.push(asked);
    const response = await answer(asked);
    init.signal?.throwIfAborted();
    return response;
  };
  Object.assign(globalThis, { fetch });
  return log;
}

export function problem(
  status: number,
  code: string,
  errors?: { field: string; message: string }[],
): Response {
  return Response.json({ type: 'about:blank', title: code, status, code, errors }, { status });
}

/** Every address leads to `page`, which may hold routes of its own. */
const everywhere = (page: ReactNode) => [{ path: '*', element: page }];

export function renderAt(address: string, page: ReactNode) {
  const router = createMemoryRouter(everywhere(page), { initialEntries: [address] });
  return render(<RouterProvider router={router} />);
}

/** The same at the address and on the history of the test's own window. */
export function renderInBrowser(page: ReactNode) {
  const router = createBrowserRouter(everywhere(page), { hydrationData: {} });
  return render(<RouterProvider router={router} />);
}

/** A creator as everybody sees them, who has filled in nothing yet. */
export const makePublicCreator = (changes: Partial<PublicCreator> = {}): PublicCreator => ({
  uid: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  username: 'ada',
  displayName: 'Ada',
  contactBy: 'form',
  email: null,
  bio: '',
  profileImage: null,
  headerImage: null,
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
  palette: 'terracotta',
  layout: 'cards',
  links: [],
  offeringCount: 0,
  createdAt: '2026-11-21T12:00:00Z',
  ...changes,
});

/** A published creator as they see themselves. */
export const makeCreator = (changes: Partial<Creator> = {}): Creator => ({
  ...makePublicCreator(),
  contactBy: 'email',
  email: 'ada@example.com',
  emailVerified: true,
  published: true,
  isPublic: true,
  takenDown: false,
  updatedAt: '2026-11-21T12:00:00Z',
  version: 1,
  ...changes,
});
