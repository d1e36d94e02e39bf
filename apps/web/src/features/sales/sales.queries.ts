import type { NewSaleForm, SaleClosing } from '@stoa/contracts';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { saleApi } from '../../api/creator/sale-endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

const key = ['sales'];
const refresh = () => queryClient.invalidateQueries({ queryKey: key });

/** The sales with this transaction id, or all, the latest first. */
export function useSales(transactionId: string) {
  return useInfiniteQuery({
    queryKey: [...key, transactionId],
    queryFn: ({ pageParam: cursor, signal }) =>
      saleApi.list({ ...(transactionId && { transactionId }), ...(cursor && { cursor }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // While a search loads, the previous list stays on screen.
    placeholderData: keepPreviousData,
    // Buyers use their links at any time.
    staleTime: 0,
  });
}

export function useAddSale() {
  return useMutation({
    mutationFn: (form: NewSaleForm) => saleApi.add(form),
    onSuccess: () => void refresh(),
  });
}

export function useCloseSale() {
  return useMutation({
    mutationFn: ({ id, ...closing }: SaleClosing & { id: string }) => saleApi.close(id, closing),
    onSettled: refresh,
  });
}

export function useReplaceSaleKey() {
  return useMutation({ mutationFn: (id: string) => saleApi.replaceKey(id), onSettled: refresh });
}
