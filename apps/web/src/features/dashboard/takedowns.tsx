import type { Takedown, TakedownList } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review-endpoints.ts';
import { reviewErrorMessages } from '../../api/review-messages.ts';
import { LeaveGuard } from '../../browser/leave-guard.tsx';
import { CharacterCount } from '../../forms/character-count.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
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

/** The answer is newer than any list, which may fail to come or come from before. */
async function tell(changed: Takedown): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<TakedownList>(
    queryKey,
    (list) => list && { items: list.items.map((one) => (one.id === changed.id ? changed : one)) },
  );
}

/** There is one appeal, so what is typed for it is kept: over a failure, a log-in, and a link that is followed by a slip. */
function Appeal({ id }: { id: string }) {
  const form = useForm({
    initial: { text: '' },
    words: reviewErrorMessages.appeal,
    draftKey: `appeal.${id}`,
    validate: ({ text }): FieldErrors => {
      const words = text.trim();
      if (words === '') return { text: 'This field is required.' };
      return isTooLong(words, limits.appealLength)
        ? { text: `Must be at most ${limits.appealLength} characters.` }
        : {};
    },
    submit: async ({ text }) => {
      try {
        await tell(await reviewApi.appeal(id, text.trim()));
      } catch (error) {
        // It may have been appealed in another tab.
        void queryClient.invalidateQueries({ queryKey });
        throw error;
      }
    },
  });
  const locked = form.busy || form.done;
  return (
    <form {...form.formProps} className="mt-4 grid gap-4">
      <RestoredDraftNotice shown={form.restored} />
      <TextArea
        label="Why should it be shown again?"
        name="text"
        required
        rows={4}
        hint={<CharacterCount text={form.values.text} max={limits.appealLength} />}
        value={form.values.text}
        error={form.errors.text}
        disabled={locked}
        onChange={({ target }) => form.change({ text: target.value })}
      />
      <FormStatus errors={form.errors} failure={form.failure} />
      <div>
        <Button type="submit" look="secondary" disabled={locked}>
          {locked ? 'Sending...' : 'Appeal'}
        </Button>
      </div>
      {form.dirty && <LeaveGuard active changes={form.values} />}
    </form>
  );
}
