import type { DeadLink, LinkFinding, LinkHealth } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { linkHealthApi } from '../../api/creator/link-health-endpoints.ts';
import { messageFor, type Words } from '../../api/messages.ts';
import { linkHealthKey } from '../../api/creator/my-offerings.queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

const queryKey = linkHealthKey;
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** The pause between reads while a check is queued. */
const pollMs = 3000;

const seen: Record<LinkFinding, string> = {
  not_found: 'The page was not found.',
  gone: 'The page is gone.',
  no_such_host: 'There is no such address any more.',
  refused: 'The server takes no connections.',
  timeout: 'The server does not answer.',
  certificate_expired: 'The certificate of the site has expired, and browsers warn of it.',
  other: 'It did not open.',
};

const checkMessages: Words = {
  unauthenticated: 'Your session has ended. Log in again, then check.',
  rate_limited: 'You have asked for this link a moment ago. Please try again {when}.',
  not_found: 'This link is not in the list any more.',
  otherwise: 'The link could not be checked. Please try again.',
};

export const useLinkHealth = () =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => linkHealthApi.read(signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(({ isQueued }) => isQueued) ? pollMs : false),
  });

/** The creator's dead links, for as long as they are dead; nothing if all work. */
export function DeadLinks() {
  const { data } = useLinkHealth();
  const repaired = useRepaired(data);
  if (!data || (data.items.length === 0 && repaired.length === 0)) return null;
  return (
    <section
      aria-labelledby="dead-links"
      className="bg-surface border-danger/40 shadow-card rounded-card border p-4 sm:p-6"
    >
      <h2 id="dead-links" className="text-2xl">
        Links that no longer work
      </h2>
      {data.items.length > 0 && (
        <p className="mt-2">
          We look at your published links once a day. These have failed several times in a row. Nothing is
          hidden: visitors still see them.
        </p>
      )}
      <div role="status" className="mt-3 grid gap-2 empty:absolute">
        {repaired.map((link) => (
          <Message key={link.id} kind="success">
            {nameOf(link)} works again.
          </Message>
        ))}
      </div>
      <ul className="divide-line divide-y">
        {data.items.map((link) => (
          <li key={link.id} className="py-5 last:pb-0">
            <Dead link={link} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Dead({ link }: { link: DeadLink }) {
  const { id, url, offeringId, finding, since, lookedAt, isQueued } = link;
  const name = nameOf(link);
  const check = useMutation({
    mutationFn: () => linkHealthApi.check(id),
    // A list that is still in flight is older than the answer and would replace it.
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (health) => queryClient.setQueryData(queryKey, health),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <h3 id={`dead-${id}`} className="text-lg font-semibold [overflow-wrap:anywhere]">
        {name}
      </h3>
      <p dir="ltr" className="text-muted mt-1 line-clamp-3 text-start [overflow-wrap:anywhere]">
        {url}
      </p>
      <p className="mt-2">
        {seen[finding]} Since <time dateTime={since}>{day.format(new Date(since))}</time>, last checked{' '}
        <time dateTime={lookedAt}>{time.format(new Date(lookedAt))}</time>.
      </p>
      <div role="status" className="mt-2 empty:absolute">
        {isQueued && 'We are looking at it again. This can take a minute.'}
      </div>
      <div role="alert" className="mt-2 empty:absolute">
        {check.error && <Message kind="failure">{messageFor(checkMessages, check.error)}</Message>}
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link
          to={offeringId ? paths.editOffering(offeringId) : paths.editProfile}
          aria-describedby={`dead-${id}`}
          className={buttonClass('secondary', 'small')}
        >
          {offeringId ? 'Edit offering' : 'Edit profile'}
        </Link>
        <Button
          look="secondary"
          size="small"
          aria-describedby={`dead-${id}`}
          disabled={check.isPending || isQueued}
          onClick={() => check.mutate()}
        >
          {check.isPending || isQueued ? 'Checking...' : 'Check again'}
        </Button>
      </div>
    </>
  );
}

/**
 * Links that were checked again while this panel is open, and work. A link that its owner removed is not
 * among them.
 */
function useRepaired(health: LinkHealth | undefined): DeadLink[] {
  const [queued, setQueued] = useState<readonly DeadLink[]>([]);
  const items = health?.items ?? [];
  const fresh = items.filter(({ id, isQueued }) => isQueued && !queued.some((link) => link.id === id));
  // Set during rendering, as React recommends for state derived from the previous render.
  if (fresh.length > 0) setQueued([...queued, ...fresh]);
  return health ? queued.filter(({ id }) => !items.some((link) => link.id === id)) : [];
}

function nameOf({ kind, label, title }: DeadLink): ReactNode {
  if (kind === 'social') return `Your ${label} link`;
  const what = { payment: 'Payment link of', support: 'Support link', link: 'Link' }[kind];
  return (
    <>
      {what} “<PersonalWords text={kind === 'payment' ? title : label} />”
    </>
  );
}
