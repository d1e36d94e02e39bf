import type { Takedown } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageFor } from '../../api/messages.ts';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review-endpoints.ts';
import { reviewErrorMessages } from '../../api/review-messages.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/text-field.tsx';

const queryKey = ['takedowns'];
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** What of the creator's was hidden and why, and the way to have it looked at again. Nothing where nothing was. */
export function Takedowns() {
  const { data } = useQuery(
    { queryKey, queryFn: ({ signal }) => reviewApi.takedowns(signal), staleTime: 0 },
    queryClient,
  );
  if (!data || data.items.length === 0) return null;
  return (
    <section
      aria-labelledby="takedowns"
      className="bg-surface border-danger/40 shadow-card rounded-card mt-8 border p-5 sm:p-8"
    >
      <h2 id="takedowns" className="text-2xl">
        Hidden by Stoa
      </h2>
      <p className="mt-2">
        Visitors no longer see this, because of our{' '}
        <Link to={paths.guidelines} className="text-accent underline">
          Community Guidelines
        </Link>
        . You can ask once for it to be looked at again.
      </p>
      <ul className="divide-line divide-y">
        {data.items.map((takedown) => (
          <li key={takedown.id} className="py-5">
            <Hidden takedown={takedown} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hidden({ takedown }: { takedown: Takedown }) {
  const { id, offering, status, reason, text, hiddenAt, answer } = takedown;
  return (
    <>
      <h3 dir="auto" className="text-lg font-semibold [overflow-wrap:anywhere]">
        {offering ? offering.title : 'Your profile'}
      </h3>
      <p className="text-muted mt-1">{time.format(new Date(hiddenAt))}</p>
      <p className="mt-2">{guidelineLabels[reason]}</p>
      {text && (
        <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </p>
      )}
      <div role="status" className="mt-3 empty:hidden">
        {status === 'appealed' && 'You have appealed. Somebody looks at it again and writes to you.'}
        {status === 'upheld' && `We have looked at it again, and it stays hidden. ${answer}`}
      </div>
      {status === 'hidden' && <Appeal id={id} />}
    </>
  );
}

function Appeal({ id }: { id: string }) {
  const [text, setText] = useState('');
  const appeal = useMutation(
    {
      mutationFn: () => reviewApi.appeal(id, text.trim()),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    },
    queryClient,
  );
  return (
    <form
      className="mt-4 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') appeal.mutate();
      }}
    >
      <TextArea
        label="Why should it be shown again?"
        required
        rows={4}
        maxLength={limits.appealLength}
        value={text}
        disabled={appeal.isPending}
        onChange={({ target }) => setText(target.value)}
      />
      <div role="alert" className="empty:hidden">
        {appeal.error && (
          <Message kind="failure">{messageFor(reviewErrorMessages.appeal, appeal.error)}</Message>
        )}
      </div>
      <div>
        <Button type="submit" look="secondary" disabled={appeal.isPending}>
          {appeal.isPending ? 'Sending...' : 'Appeal'}
        </Button>
      </div>
    </form>
  );
}
