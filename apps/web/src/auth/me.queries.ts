import type { Creator } from '@stoa/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessionApi } from '../api/account/session-endpoints.ts';
import { ApiError } from '../api/http.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetPublicAnswers } from '../api/public/public.queries.ts';
import { currentSession } from './session.ts';

const queryKey = ['me'];

export function useMe() {
  return useQuery({ queryKey, queryFn: ({ signal }) => readMe(signal) });
}

/** The currently stored record. An editor starts from it, never from a cached one. */
export function useStoredMe() {
  const read = async (signal: AbortSignal) => {
    const creator = await readMe(signal);
    queryClient.setQueryData(queryKey, creator);
    return creator;
  };
  return useQuery({
    queryKey: ['stored-me'],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    gcTime: 0,
  });
}

async function readMe(signal: AbortSignal): Promise<Creator> {
  try {
    const creator = await sessionApi.me(signal);
    const session = currentSession();
    // The user has changed the email address at Keycloak since the record was saved.
    const changed = session.status === 'signed-in' && session.email && session.email !== creator.email;
    return changed ? await openSession() : creator;
  } catch (error) {
    // Sign-in creates the record. If a service was down then, this creates it now.
    if (error instanceof ApiError && error.reason === 'not_found') return openSession();
    throw error;
  }
}

const openSession = async () => (await sessionApi.openSession()).creator;

/** Shows the answer to a save, and drops the cached public pages of the creator. */
export async function storeMe(creator: Creator): Promise<void> {
  // A record that is still in flight is older than the answer and would replace it.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, creator);
  forgetPublicAnswers();
}
