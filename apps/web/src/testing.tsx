import type { Creator, PublicCreator } from '@stoa/contracts';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | null | undefined;
}

type Answer = (asked: Asked) => Response | Promise<Response>;

/** Stands in for the gateway; answers with what was asked of it, in order. */
export function fakeApi(answer: Answer): Asked[] {
  const log: Asked[] = [];
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

export function renderAt(address: string, page: ReactNode) {
  return render(<MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>);
}

/** A creator as everybody sees them, who has filled in nothing yet. */
export const aPublicCreator = (changes: Partial<PublicCreator> = {}): PublicCreator => ({
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
  offeringCount: 0,
  createdAt: '2026-11-21T12:00:00Z',
  ...changes,
});

/** A published creator as they see themselves. */
export const aCreator = (changes: Partial<Creator> = {}): Creator => ({
  ...aPublicCreator(),
  contactBy: 'email',
  email: 'ada@example.com',
  emailVerified: true,
  published: true,
  isPublic: true,
  updatedAt: '2026-11-21T12:00:00Z',
  version: 1,
  ...changes,
});
