import { api, type BrowseFilter } from '../../api/endpoints.ts';
import { withQuery } from '../../api/http.ts';
import { usePages } from '../../api/resource.ts';

/** All creators that match. Each filter has its own place in memory, so no answer shows under another one. */
export function useCreators(filter: BrowseFilter) {
  return usePages(withQuery('/api/creators', { ...filter }), (cursor, signal) =>
    api.browse(filter, cursor, signal),
  );
}
