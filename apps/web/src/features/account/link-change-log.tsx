import type { LinkChange, PaymentLink } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { displayHost } from '@stoa/contracts/links';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { useLinkChanges } from './link-changes.queries.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';
import { AccountRow } from './account-row.tsx';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function LinkChangeLog() {
  const changes = useLinkChanges();
  return (
    <AccountRow
      id="link-changes"
      title="Changes of Payment Links"
      value={changes.data && (changes.data.items.length || 'None')}
      opensFor={changes.isError && 'failed'}
    >
      <p className="text-muted">
        {`Whenever your pages lead to a payment link they have not used lately, it stands here for ${limits.linkChangeDays} days. We also mail you each change: that mail takes it back for ${limits.linkUndoDays} days.`}
      </p>
      {changes.data ? (
        <Log items={changes.data.items} />
      ) : changes.isError ? (
        <div className="mt-6">
          <ErrorState
            title={messageFor(creatorErrorMessages.linkChanges, changes.error)}
            reference={referenceOf(changes.error)}
            onRetry={() => void changes.refetch()}
          />
        </div>
      ) : (
        <div className="mt-6">
          <LoadingText>Loading the changes of your payment links...</LoadingText>
          <Skeleton className="h-16" />
        </div>
      )}
    </AccountRow>
  );
}

function Log({ items }: { items: readonly LinkChange[] }) {
  if (items.length === 0) return <p className="mt-4">There are none.</p>;
  return (
    <ul className="divide-line mt-2 divide-y">
      {items.map((change) => (
        <Change key={change.id} change={change} />
      ))}
    </ul>
  );
}

function Change({ change: { at, offeringId, before, after, undoneAt } }: { change: LinkChange }) {
  const [offering] = after;
  return (
    <li className="py-5">
      <h3 className="text-lg font-semibold break-words">
        {offeringId && offering ? <PersonalWords text={offering.name} /> : 'Your profile'}
      </h3>
      <p className="text-muted mt-1">{time.format(new Date(at))}</p>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-muted">From</dt>
        <dd className="min-w-0 break-words">{payeesOf(before, after)}</dd>
        <dt className="text-muted">To</dt>
        <dd className="min-w-0 break-words">{payeesOf(after, before)}</dd>
      </dl>
      {undoneAt && (
        <p className="text-success mt-3 font-medium">Taken back {time.format(new Date(undoneAt))}</p>
      )}
    </li>
  );
}

/** The hosts of the links. If both sides share a host, the path is shown too. */
function payeesOf(links: readonly PaymentLink[], others: readonly PaymentLink[]): string {
  const hosts = new Set(others.map(({ url }) => displayHost(url)));
  const named = links.map(({ url }) => {
    const host = displayHost(url) ?? url;
    return hosts.has(host) ? url.replace(/^https:\/\/(www\.)?/, '') : host;
  });
  return named.length > 0 ? [...new Set(named)].join(', ') : 'No link';
}
