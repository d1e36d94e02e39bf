import type { Takedown, TakedownList } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review/review-endpoints.ts';
import { reviewErrorMessages } from '../../api/review/review-messages.ts';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { CharacterCount } from '../../forms/character-count.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-field.tsx';
import { ownWords } from '../../ui/text/own-words.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

const queryKey = ['takedowns'];
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const useTakedowns = () =>
  useQuery({ queryKey, queryFn: ({ signal }) => reviewApi.takedowns(signal), staleTime: 0 });

/** What Stoa has hidden of the creator's and why, with an appeal; nothing if nothing is hidden. */
export function Takedowns() {
  const { data } = useTakedowns();
  if (!data || data.items.length === 0) return null;
  return (
    <section
      aria-labelledby="takedowns"
      className="bg-surface border-danger/40 shadow-card rounded-card border p-4 sm:p-6"
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
      <h3 className="text-lg font-semibold [overflow-wrap:anywhere]">
        {offering ? <PersonalWords text={offering.title} /> : 'Your profile'}
      </h3>
      <p className="text-muted mt-1">{time.format(new Date(hiddenAt))}</p>
      <p className="mt-2">{guidelineLabels[reason]}</p>
      {text && (
        <p {...ownWords(text)} className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </p>
      )}
      <div role="status" className="mt-3 empty:absolute">
        {status === 'appealed' && 'You have appealed. Somebody looks at it again and writes to you.'}
      </div>
      {status === 'upheld' && (
        <p className="mt-3">
          We have looked at it again, and it stays hidden. <PersonalWords text={answer} />
        </p>
      )}
      {status === 'hidden' && <Appeal id={id} />}
    </>
  );
}

/** Writes the answer into the list, since a read may fail or return an older state. */
async function storeAnswer(changed: Takedown): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<TakedownList>(
    queryKey,
    (list) => list && { items: list.items.map((one) => (one.id === changed.id ? changed : one)) },
  );
}

/** Only one appeal is possible, so its draft survives a failure, a log-in and an accidental navigation. */
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
        await storeAnswer(await reviewApi.appeal(id, text.trim()));
      } catch (error) {
        // Another tab may have appealed already.
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
