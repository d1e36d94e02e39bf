import type { Guideline } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { type ChangeEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError } from '../../api/http.ts';
import { reviewApi } from '../../api/review-endpoints.ts';
import { reviewErrorMessages } from '../../api/review-messages.ts';
import { LeaveGuard } from '../../browser/leave-guard.tsx';
import { CharacterCount } from '../../forms/character-count.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import { useForm } from '../../forms/use-form.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { AddressText } from '../../ui/address-text.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ErrorState, Message } from '../../ui/notice.tsx';
import { SelectField, TextArea } from '../../ui/text-field.tsx';
import { reportedPage } from './reported-page.ts';

const title = 'Report a Page';

/** Where visitors say that a profile or an offering goes against the guidelines. */
export default function ReportPage() {
  const [search] = useSearchParams();
  const address = search.get('page');
  const page = reportedPage(address);
  return (
    <Page title={title} width="text">
      {page ? (
        <>
          <h1 className="text-4xl">{title}</h1>
          <p className="mt-4 [overflow-wrap:anywhere]">
            You report{' '}
            <Link to={address ?? ''} className="text-accent underline">
              <AddressText text={location.host + address} />
            </Link>
            . A person looks at every report, by our{' '}
            <Link to={paths.guidelines} className="text-accent underline">
              Community Guidelines
            </Link>
            . We do not keep who you are, and nobody is told.
          </p>
          <ReportForm key={address} page={page} />
        </>
      ) : (
        <ErrorState title="There is no such page to report." titleLevel="h1">
          <Link to={paths.browse} className={buttonClass('quiet')}>
            Browse Creators
          </Link>
        </ErrorState>
      )}
    </Page>
  );
}

const empty: { reason: Guideline | ''; text: string } = { reason: '', text: '' };

/** Whether what is refused is no field of the form. */
const refusesOther = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.reason === 'invalid_input' &&
  !error.fields.some(({ field }) => Object.hasOwn(empty, field));

function ReportForm({ page }: { page: { username: string; slug?: string } }) {
  const attempt = useRef(crypto.randomUUID());
  const [sent, setSent] = useState(false);
  const form = useForm({
    initial: empty,
    draftKey: `report.${page.username}/${page.slug ?? ''}`,
    words: reviewErrorMessages.report,
    validate: ({ reason, text }) => ({
      ...(reason === '' && { reason: 'Choose what it goes against.' }),
      ...(isTooLong(text.trim(), limits.reportLength) && {
        text: `Must be at most ${limits.reportLength} characters.`,
      }),
    }),
    submit: async ({ reason, text }) => {
      if (reason === '') return;
      try {
        await reviewApi.report({ id: attempt.current, ...page, reason, text: text.trim() });
      } catch (error) {
        // Of an address that no page can have nothing is on the form, and so nothing would be marked.
        throw refusesOther(error) ? new Error('The address was refused', { cause: error }) : error;
      }
      setSent(true);
    },
  });
  if (sent)
    return (
      <div role="status" className="mt-8">
        <Message kind="success">
          Thank you. Somebody will look at it, and decide by the guidelines whether the page may stay.
        </Message>
      </div>
    );
  const field = (name: 'reason' | 'text') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    disabled: form.busy,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement | HTMLTextAreaElement>) =>
      form.change({ [name]: target.value }),
  });
  return (
    <form {...form.formProps} className="mt-8 grid gap-6">
      <RestoredDraftNotice shown={form.restored} undone="sent" />
      <SelectField label="Which guideline does it go against?" required {...field('reason')}>
        <option value="">Choose one</option>
        {Object.entries(guidelineLabels).map(([reason, label]) => (
          <option key={reason} value={reason}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextArea
        label="What is wrong?"
        hint={
          <>
            In your own words, where it helps: what you saw, and where on the page.{' '}
            <CharacterCount text={form.values.text} max={limits.reportLength} />
          </>
        }
        {...field('text')}
      />
      <FormStatus errors={form.errors} failure={form.failure} success={undefined} />
      <div>
        <Button type="submit" disabled={form.busy}>
          {form.busy ? 'Sending...' : 'Send Report'}
        </Button>
      </div>
      <LeaveGuard active={form.dirty} changes={form.values} />
    </form>
  );
}
