import { niches } from '@stoa/contracts/choices';
import { searchable } from '@stoa/contracts/text';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { BrowseFilter } from '../../api/public/endpoints.ts';

export const browseFilters = ['All', ...niches] as const;
export type NicheFilter = (typeof browseFilters)[number];

const typingPauseMs = 300;

interface BrowseFilterState {
  filter: BrowseFilter;
  niche: NicheFilter;
  /** The text in the search field. The address follows after a pause in typing. */
  typed: string;
  type: (text: string) => void;
  choose: (niche: NicheFilter) => void;
  clear: () => void;
}

/** The search and niche, kept in the address, so that they can be shared and the history works. */
export function useBrowseFilter(): BrowseFilterState {
  const [params, setParams] = useSearchParams();
  const search = searchable(params.get('search') ?? '');
  const niche = niches.find((name) => name === params.get('niche'));
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  const [asked, setAsked] = useState<string>();

  // After a link or a step in the history, the field shows the address. A search that this hook wrote there
  // may be older than the text typed since.
  if (search !== shown) {
    setShown(search);
    if (search !== asked) setTyped(search);
    setAsked(undefined);
  }

  useEffect(() => {
    if (searchable(typed) === search) return;
    const timer = setTimeout(() => {
      setAsked(searchable(typed));
      setParams((current) => withParam(current, 'search', searchable(typed)), {
        replace: true,
        preventScrollReset: true,
      });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, search, setParams]);

  return {
    filter: { search, niche },
    niche: niche ?? 'All',
    typed,
    type: setTyped,
    choose: (name) =>
      setParams((current) => withParam(current, 'niche', name === 'All' ? '' : name), {
        preventScrollReset: true,
      }),
    clear: () => {
      setTyped('');
      setParams((current) => withParam(withParam(current, 'search', ''), 'niche', ''), {
        preventScrollReset: true,
      });
    },
  };
}

function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}
