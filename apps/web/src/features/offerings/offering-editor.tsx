import { isPublicState, offeringStateLabels } from '@stoa/contracts/choices';
import { offeringTypeLabels } from '@stoa/contracts/offering-types';
import { limits } from '@stoa/contracts/limits';
import type { OfferingState } from '@stoa/contracts';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Words } from '../../api/messages.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import { formatHint } from '../../forms/format-hint.ts';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { InsecureLink } from '../../forms/insecure-link.tsx';
import { LinkField } from '../../forms/link-field.tsx';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { PictureField } from '../../forms/pictures/picture-field.tsx';
import { aboveSaveBar, SaveBar } from '../../forms/save-bar.tsx';
import { sendingOf, UploadWait } from '../../forms/uploads/upload-wait.tsx';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { useFiles } from '../../forms/uploads/use-files.ts';
import { usePicture } from '../../forms/pictures/use-picture.ts';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields/text-field.tsx';
import { withUpload } from './files/chosen-files.ts';
import { DeliveryFields } from './delivery-fields.tsx';
import type { OfferingValues } from './offering-form.ts';
import { besidePreview, OfferingPreview } from './offering-preview.tsx';
import { WorkshopFields } from './workshop-fields.tsx';

/** Renders the choices after an edit conflict, with the form's failure message. */
export type OfferingConflict = (
  form: Pick<ReturnType<typeof useForm<OfferingValues>>, 'reset' | 'sendWith'>,
  failure: string,
) => ReactNode;

interface OfferingEditorProps {
  initial: OfferingValues;
  check: (values: OfferingValues) => FieldErrors;
  send: (values: OfferingValues) => Promise<void>;
  goOn?: () => void | Promise<void>;
  words: Words;
  draftKey: string;
  coverRequired?: boolean;
  coverTooLarge: string;
  submitLabel: string;
  busyLabel: string;
  success?: string;
  conflict?: OfferingConflict;
}

const stateHints: Readonly<Record<OfferingState, string>> = {
  draft: 'Nobody sees it but you.',
  published: 'Everybody sees it on your profile.',
  hidden: 'Nobody sees it for now. Who has paid can still download.',
  sold_out: 'Everybody sees it, without a way to buy it.',
  archived: 'Done for good. Nobody sees it, and who has paid can still download.',
};

export function OfferingEditor(props: OfferingEditorProps) {
  const { initial, check, send, goOn, words, draftKey, coverRequired, coverTooLarge, success } = props;
  const form = useForm<OfferingValues>({
    initial,
    words,
    draftKey,
    validate: check,
    pending: () => [
      ...(cover.pending ? ['coverImageId'] : []),
      ...(files.attempts.length > 0 ? ['files'] : []),
    ],
    waitFor: async () => (await cover.settled()) && (await files.settled()),
    submit: send,
    goOn,
  });
  const cover = usePicture({
    purpose: 'offering-cover',
    tooLarge: coverTooLarge,
    onChange: (coverImage) => form.change({ coverImage, coverImageId: coverImage?.id ?? '' }),
  });
  const files = useFiles((stored, place) =>
    form.change((now) => ({ files: withUpload(now.files, stored, place), filesChanged: true })),
  );
  const sending = sendingOf([cover.state, ...files.attempts]);
  const uploading = cover.pending !== undefined || files.attempts.length > 0;
  const changes = useMemo(
    () => [form.values, cover.pending, files.attempts.length],
    [form.values, cover.pending, files.attempts.length],
  );
  const locked = form.busy || form.done;
  const unsaved = (form.dirty || uploading) && !form.done;
  const question = form.failure && props.conflict?.(form, form.failure);
  const field = (name: 'title' | 'description' | 'price' | 'type' | 'state') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });

  const linkField = (name: 'paymentUrl' | 'productUrl') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onType: (link: string) => form.change({ [name]: link }),
  });

  return (
    <form {...form.formProps} className={`mt-8 grid gap-7 ${besidePreview} ${aboveSaveBar}`}>
      <RestoredDraftNotice
        shown={form.restored}
        missing={coverRequired && !form.values.coverImage ? 'the cover image' : undefined}
      />
      <OfferingPreview
        values={form.values}
        chosenCover={cover.state.step === 'idle' ? undefined : cover.state.preview}
      />
      {/* Outside of the disabled fieldset: a slow upload can be cancelled while the form waits for it. */}
      <PictureField
        label="Cover Image"
        hint="JPEG, PNG, WebP or AVIF, under 5MB. Drop it here or choose a file."
        required={coverRequired}
        error={form.errors.coverImageId}
        picture={form.values.coverImage}
        upload={cover}
        shape="wide"
        disabled={locked}
      />
      <fieldset disabled={locked} className="contents">
        <TextField label="Title" required {...field('title')} />
        <TextArea
          label="Description"
          {...field('description')}
          hint={
            <>
              <CharacterCount text={form.values.description} max={limits.descriptionLength} />
              {` · ${formatHint}`}
            </>
          }
        />
        <div className="grid gap-7 sm:grid-cols-2">
          <TextField
            label="Price"
            required
            placeholder="R150, $12, or Pay what you can"
            {...field('price')}
          />
          <SelectField label="Type" required {...field('type')}>
            {Object.entries(offeringTypeLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        {form.values.type === 'Workshop' && (
          <WorkshopFields
            values={form.values.workshop}
            errors={form.errors}
            onChange={(workshop, touched) => form.change({ workshop }, [touched])}
          />
        )}
        <InsecureLink
          url={form.values.paymentUrl}
          label="the payment link"
          onFix={(paymentUrl) => form.change({ paymentUrl })}
        >
          <LinkField
            label="Payment Link"
            required
            hint="Where “Access Now” sends your visitors: a checkout, booking or payment page of yours."
            {...linkField('paymentUrl')}
          />
        </InsecureLink>
        <LinkField
          label="Product Link"
          hint="Optional, for your own reference. Visitors never see it."
          {...linkField('productUrl')}
        />
        <SelectField label="State" hint={stateHints[form.values.state]} {...field('state')}>
          {Object.entries(offeringStateLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </fieldset>
      <DeliveryFields form={form} uploads={files} disabled={locked} />
      <SaveBar
        status={
          <FormStatus errors={form.errors} failure={question ? undefined : form.failure} success={success} />
        }
        question={question}
        wait={
          form.waiting && (
            <UploadWait
              sending={sending}
              then={isPublicState(form.values.state) ? 'publishing' : 'saving'}
              onKeepEditing={form.keepEditing}
            />
          )
        }
        unsaved={unsaved}
        locked={locked}
        onDiscard={() => {
          cover.cancel();
          files.cancelAll();
          form.discard();
        }}
        leave={
          <Link to={paths.dashboard} className={buttonClass('quiet')}>
            Cancel
          </Link>
        }
      >
        <Button type="submit" disabled={locked}>
          {locked && success === undefined ? props.busyLabel : props.submitLabel}
        </Button>
      </SaveBar>
      <LeaveGuard active={unsaved} changes={changes} />
    </form>
  );
}
