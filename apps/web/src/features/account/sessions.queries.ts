import type { AccountSession } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionApi } from '../../api/session-endpoints.ts';

const queryKey = ['account-sessions'];

export function useSessions() {
  return useQuery({ queryKey, queryFn: ({ signal }) => readSessions(signal), staleTime: 0 }, queryClient);
}

export function useEndSession() {
  return useMutation(
    {
      mutationFn: ended,
      onSuccess: async (_, endedId) => {
        // An older list that is on its way would bring the session back.
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData<{ items: AccountSession[] }>(
          queryKey,
          (list) => list && { ...list, items: list.items.filter(({ id }) => id !== endedId) },
        );
        void queryClient.invalidateQueries({ queryKey });
      },
    },
    queryClient,
  );
}

export function useSignOutEverywhere() {
  return useMutation({ mutationFn: () => accountApi.signOutEverywhere() }, queryClient);
}

export function useDeleteAccount() {
  return useMutation({ mutationFn: () => accountApi.deleteAccount() }, queryClient);
}

/** The list, in which the present browser has its name, also where it signed in before browsers were named. */
async function readSessions(signal: AbortSignal): Promise<{ items: AccountSession[] }> {
  const list = await accountApi.sessions(signal);
  // A browser that the server does not know gets no name, however often it asks.
  if (queryClient.getQueryData(queryKey)) return list;
  if (list.items.every(({ current, browser }) => !current || browser !== undefined)) return list;
  try {
    await sessionApi.openSession();
    return await accountApi.sessions(signal);
  } catch (error) {
    console.error(error);
    return list;
  }
}

/** Over already is as good as ended now. */
async function ended(id: string): Promise<void> {
  try {
    await accountApi.endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'not_found')) throw error;
  }
}
