import type { Creator } from '@stoa/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessionApi } from '../api/session-endpoints.ts';
import { ApiError } from '../api/http.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetResources } from '../api/resource.ts';
import { currentSession } from './session.ts';

const queryKey = ['me'];

/** The signed-in creator's own record. */
export function useMe() {
  return useQuery({ queryKey, queryFn: ({ signal }) => readMe(signal) }, queryClient);
}

/** The record as it is stored now, for an editor to start from, never as it was read a while ago. */
export function useStoredMe() {
  const read = async (signal: AbortSignal) => {
    const creator = await readMe(signal);
    queryClient.setQueryData(queryKey, creator);
    return creator;
  };
  return useQuery(
    { queryKey: ['stored-me'], queryFn: ({ signal }) => read(signal), staleTime: 0, gcTime: 0 },
    queryClient,
  );
}

async function readMe(signal: AbortSignal): Promise<Creator> {
  try {
    const creator = await sessionApi.me(signal);
    const session = currentSession();
    // The address was changed at Keycloak meanwhile.
    const changed = session.status === 'signed-in' && session.email && session.email !== creator.email;
    return changed ? await openSession() : creator;
  } catch (error) {
    // The record is made at sign-in; when a service was down at that moment, it is made now.
    if (error instanceof ApiError && error.reason === 'not_found') return openSession();
    throw error;
  }
}

const openSession = async () => (await sessionApi.openSession()).creator;

/** Shows the answer to a save; what visitors see of the creator is read again. */
export async function storeMe(creator: Creator): Promise<void> {
  // An older record that is on its way would replace the answer.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, creator);
  forgetResources();
}
