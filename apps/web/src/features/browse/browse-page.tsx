import { limits } from '@stoa/contracts/limits';
import { useEffect, useRef } from 'react';
import { useCreators } from '../../api/public/creator.queries.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { CreatorCard, creatorGrid } from '../../storefront/creator-card.tsx';
import { Page } from '../../layout/page.tsx';
import { Button } from '../../ui/button.tsx';
import { FilterButtons, SearchField } from '../../ui/fields/filter.tsx';
import { StatusRegion } from '../../ui/live-region.tsx';
import { EmptyState, ErrorState, Message } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { pageTitles, paths } from '../../navigation/paths.ts';
import { browseFilters, useBrowseFilter } from './browse-filter.ts';
import { LoadMore } from './load-more.tsx';

/** From this count on only the button loads more, so that scrolling can reach the footer. */
const autoLoadLimit = 96;

export default function BrowsePage() {
  const { filter, niche, typed, type, choose, clear } = useBrowseFilter();
  const heading = useRef<HTMLHeadingElement>(null);
  const showAll = () => {
    clear();
    // The button with the focus disappears.
    heading.current?.focus({ preventScroll: true });
  };
  return (
    <Page title={pageTitles.browse} dense>
      <h1 ref={heading} tabIndex={-1} className="text-5xl outline-none">
        Browse Creators
      </h1>
      <p className="text-muted mt-3 max-w-prose sm:text-lg">
        Independent people, each with a page of their own. What you pay goes to them, all of it.
      </p>
      <div className="mt-6 mb-6 grid gap-3 sm:mt-8">
        <form role="search" action={paths.browse} onSubmit={(event) => event.preventDefault()}>
          <SearchField
            name="search"
            label="Search creators"
            placeholder="Name, bio or offering"
            maxLength={limits.searchLength}
            value={typed}
            onChange={type}
          />
          <noscript>
            <p className="mt-3 flex flex-wrap items-center gap-3">
              <label>
                Niche{' '}
                <select
                  name="niche"
                  defaultValue={niche}
                  className="border-edge bg-surface rounded-field min-h-11 border px-3"
                >
                  {browseFilters.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
              <Button type="submit" size="small">
                Show Creators
              </Button>
            </p>
          </noscript>
        </form>
        <FilterButtons label="Filter by niche" options={browseFilters} value={niche} onChange={choose} />
      </div>
      <Creators filter={filter} onShowAll={showAll} />
    </Page>
  );
}

interface CreatorsProps {
  filter: ReturnType<typeof useBrowseFilter>['filter'];
  onShowAll: () => void;
}

function Creators({ filter, onShowAll }: CreatorsProps) {
  const creators = useCreators(filter);
  const list = useRef<HTMLUListElement>(null);
  const goOnAt = useRef<number>(undefined);
  const { items: found = [], total = 0, totalIsExact = true } = creators.data ?? {};

  // The focus moves to the first new creator, since the button may be gone.
  useEffect(() => {
    if (goOnAt.current === undefined || found.length <= goOnAt.current) return;
    const link = list.current?.children.item(goOnAt.current)?.querySelector<HTMLElement>('p > a');
    goOnAt.current = undefined;
    link?.focus({ preventScroll: true });
  }, [found.length]);
  useEffect(() => () => void (goOnAt.current = undefined), [filter.search, filter.niche]);

  return (
    <>
      {/* One live region for all filters: some screen readers ignore one that is inserted with its text. */}
      <StatusRegion className="min-h-11">
        {creators.data ? (
          <Found total={total} more={!totalIsExact} />
        ) : (
          !creators.error && <p className="text-muted mb-6 text-sm">Loading creators...</p>
        )}
      </StatusRegion>
      {creators.data && total === 0 && Boolean(filter.search || filter.niche) && (
        <div className="mt-5 text-center">
          <Button look="secondary" onClick={onShowAll}>
            Show all creators
          </Button>
        </div>
      )}
      {!creators.data && !creators.error && <CreatorsSkeleton />}
      {found.length > 0 && (
        <ul ref={list} className={creatorGrid} data-long="">
          {found.map((creator, index) => (
            <li key={creator.uid}>
              <CreatorCard creator={creator} eager={index === 0} />
            </li>
          ))}
        </ul>
      )}
      {!creators.data && Boolean(creators.error) && (
        <ErrorState
          title={messageFor(errorMessages.browse, creators.error)}
          reference={referenceOf(creators.error)}
          onRetry={creators.reload}
        />
      )}
      {creators.data && (
        <div role="alert" className="mt-8">
          {Boolean(creators.error) && (
            <Message kind="failure">{messageFor(errorMessages.browse, creators.error)}</Message>
          )}
        </div>
      )}
      {creators.hasMore && (
        <LoadMore
          shown={found.length}
          busy={creators.busy}
          automatic={!creators.error && found.length < autoLoadLimit}
          onMore={creators.loadMore}
          onAsked={() => (goOnAt.current = found.length)}
        />
      )}
    </>
  );
}

function Found({ total, more }: { total: number; more: boolean }) {
  if (total === 0)
    return (
      <EmptyState
        quiet
        title="No creators found matching your criteria. Try adjusting your search or filter."
      />
    );
  return (
    <p className="text-muted mb-5 text-sm font-medium">
      {total === 1 ? '1 creator' : `${total.toLocaleString('en')}${more ? '+' : ''} creators`}
    </p>
  );
}

function CreatorsSkeleton() {
  return (
    <div className={creatorGrid}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="rounded-card h-36 sm:h-104" />
      ))}
    </div>
  );
}
