import type { Guideline } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { type ChangeEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ApiError } from '../../api/http.ts';
import { reviewApi } from '../../api/review/review-endpoints.ts';
import { reportErrorMessages } from '../../api/review/report-messages.ts';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { AddressText } from '../../ui/text/address-text.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { ErrorState, Message } from '../../ui/notice.tsx';
import { SelectField, TextArea } from '../../ui/fields/text-field.tsx';
import { reportedPage } from './reported-page.ts';

const title = 'Report a Page';

// Counting characters needs much code, which comes after the form. The server checks the length, too.
let refused: ((text: string) => string | undefined) | undefined;
const ReportLength = lazyOptional(async () => {
  const extras = await import('./report-form-extras.tsx');
  refused = extras.refused;
  return extras.ReportLength;
});

/** The form with which visitors report that a profile or offering breaks the guidelines. */
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

/** Whether the server refused something other than the form's fields. */
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
    words: reportErrorMessages,
    validate: ({ reason, text }) => {
      const tooLong = refused?.(text);
      return {
        ...(reason === '' && { reason: 'Choose what it goes against.' }),
        ...(tooLong && { text: tooLong }),
      };
    },
    submit: async ({ reason, text }) => {
      if (reason === '') return;
      try {
        await reviewApi.report({ id: attempt.current, ...page, reason, text: text.trim() });
      } catch (error) {
        // The refused address is not a field of the form, so no field could show the error.
        throw refusesOther(error) ? new Error('The address was refused', { cause: error }) : error;
      }
      setSent(true);
    },
  });
  const field = (name: 'reason' | 'text') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    disabled: form.busy,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement | HTMLTextAreaElement>) =>
      form.change({ [name]: target.value }),
  });
  return (
    <>
      <div role="status" className="mt-8 empty:absolute">
        {sent && (
          <Message kind="success">
            Thank you. Somebody will look at it, and decide by the guidelines whether the page may stay.
          </Message>
        )}
      </div>
      {!sent && (
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
                <ReportLength text={form.values.text} />
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
      )}
    </>
  );
}
