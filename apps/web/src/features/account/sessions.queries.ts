import type { AccountSession } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account/account-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionApi } from '../../api/account/session-endpoints.ts';

const queryKey = ['account-sessions'];

export function useSessions() {
  return useQuery({ queryKey, queryFn: ({ signal }) => readSessions(signal), staleTime: 0 });
}

export function useEndSession() {
  return useMutation({
    mutationFn: ended,
    onSuccess: async (_, endedId) => {
      // A list that is still in flight is older and would show the session again.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<{ items: AccountSession[] }>(
        queryKey,
        (list) => list && { ...list, items: list.items.filter(({ id }) => id !== endedId) },
      );
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

export function useSignOutEverywhere() {
  return useMutation({ mutationFn: () => accountApi.signOutEverywhere() });
}

export function useDeleteAccount() {
  return useMutation({ mutationFn: () => accountApi.deleteAccount() });
}

/**
 * Reads the list. If it has no browser name for the current session, opens the session once more, which records
 * the name, and reads the list again.
 */
async function readSessions(signal: AbortSignal): Promise<{ items: AccountSession[] }> {
  const list = await accountApi.sessions(signal);
  // The server cannot name an unknown browser, however often it is requested.
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

/** A session that is already over counts as ended. */
async function ended(id: string): Promise<void> {
  try {
    await accountApi.endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'not_found')) throw error;
  }
}
