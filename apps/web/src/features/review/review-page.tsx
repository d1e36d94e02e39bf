import type { ReviewQuery } from '@stoa/contracts';
import { Link, useSearchParams } from 'react-router-dom';
import { isPermanent } from '../../api/http.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { reviewErrorMessages } from '../../api/review/review-messages.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, ErrorState, Message } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { ToastProvider } from '../../ui/overlays/toast.tsx';
import { useDecisionPace } from './decision-pace.ts';
import { ReviewCaseCard } from './review-case.tsx';
import { useCases } from './review.queries.ts';

type Queue = ReviewQuery['queue'];
const queues: Record<Queue, { label: string; empty: string }> = {
  waiting: { label: 'Waiting', empty: 'Nothing waits for a decision.' },
  hidden: { label: 'Hidden', empty: 'No page is hidden.' },
  closed: { label: 'Closed', empty: 'No case is closed yet.' },
};
const isQueue = (name: string | null): name is Queue => name !== null && name in queues;

/** The operators' page for reports. */
export default function ReviewPage() {
  const [search] = useSearchParams();
  const asked = search.get('queue');
  const queue = isQueue(asked) ? asked : 'waiting';
  const cases = useCases(queue);
  const pace = useDecisionPace();
  const pages = cases.data?.pages;
  const items = pages?.flatMap((page) => page.items);
  return (
    <ToastProvider>
      <Page title="Reports">
        <h1 className="text-5xl">Reports</h1>
        <p className="text-muted mt-3 max-w-prose text-pretty">
          What visitors reported, to be decided by the Community Guidelines. Every step stays in the trail.
        </p>
        {!(cases.error && isPermanent(cases.error)) && (
          <Queues queue={queue} counts={pages?.at(-1)?.counts} />
        )}
        <section aria-label={queues[queue].label} className="mt-6">
          {items ? (
            items.length === 0 ? (
              <EmptyState title={queues[queue].empty} />
            ) : (
              <>
                <ul className="grid gap-6">
                  {items.map((one) => (
                    <li key={one.id}>
                      <ReviewCaseCard reviewed={one} pace={pace} />
                    </li>
                  ))}
                </ul>
                <ShowMore cases={cases} />
              </>
            )
          ) : cases.error ? (
            <ErrorState
              title={messageFor(reviewErrorMessages.cases, cases.error)}
              reference={referenceOf(cases.error)}
              onRetry={isPermanent(cases.error) ? undefined : () => void cases.refetch()}
            >
              <Link to={paths.dashboard} className={buttonClass('quiet')}>
                Dashboard
              </Link>
            </ErrorState>
          ) : (
            <>
              <LoadingText>Loading the reports...</LoadingText>
              <Skeleton className="h-64" />
            </>
          )}
        </section>
      </Page>
    </ToastProvider>
  );
}

function ShowMore({
  cases: { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage },
}: {
  cases: ReturnType<typeof useCases>;
}) {
  return (
    <>
      <div role="alert" className="empty:absolute">
        {isFetchNextPageError && (
          <Message kind="failure">{messageFor(reviewErrorMessages.cases, error)}</Message>
        )}
      </div>
      {hasNextPage && (
        <div className="mt-10 flex justify-center">
          {/* Not disabled, since that would lose the focus. */}
          <Button
            look="secondary"
            aria-disabled={isFetchingNextPage}
            onClick={() => {
              if (!isFetchingNextPage) void fetchNextPage();
            }}
          >
            {isFetchingNextPage ? 'Loading more...' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  );
}

function Queues({ queue, counts }: { queue: Queue; counts: Record<Queue, number> | undefined }) {
  return (
    <nav aria-label="Queues" className="mt-8">
      <ul className="flex flex-wrap gap-2">
        {(Object.keys(queues) as Queue[]).map((name) => (
          <li key={name}>
            <Link
              to={`${paths.review}?queue=${name}`}
              aria-current={name === queue ? 'page' : undefined}
              className={classNames(
                buttonClass(name === queue ? 'primary' : 'secondary', 'small'),
                'min-h-11',
              )}
            >
              {queues[name].label}
              {counts && ` (${counts[name]})`}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
