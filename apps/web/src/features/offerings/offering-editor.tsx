import { limits } from '@stoa/contracts/limits';
import { countCharacters } from '@stoa/contracts/text';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Context } from '../../api/messages.ts';
import { FormStatus } from '../../forms/form-status.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { PictureField } from '../../forms/picture-field.tsx';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { usePicture } from '../../forms/use-picture.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/text-field.tsx';
import type { OfferingValues } from './offering-form.ts';
import { offeringTypes } from './offering-types.ts';

interface OfferingEditorProps {
  initial: OfferingValues;
  check: (values: OfferingValues) => FieldErrors;
  send: (values: OfferingValues) => Promise<void>;
  context: Context;
  draftKey: string;
  coverRequired?: boolean;
  coverTooLarge: string;
  submitLabel: string;
  busyLabel: string;
  success?: string;
}

export function OfferingEditor(props: OfferingEditorProps) {
  const { initial, check, send, context, draftKey, coverRequired, coverTooLarge, success } = props;
  const navigate = useNavigate();
  const form = useForm<OfferingValues>({
    initial,
    context,
    draftKey,
    validate: check,
    waitFor: () => cover.settled(),
    submit: send,
  });
  const cover = usePicture({
    purpose: 'offering-cover',
    tooLarge: coverTooLarge,
    onChange: (coverImage) => form.change({ coverImage, coverImageId: coverImage?.id ?? '' }),
  });
  const locked = form.busy || success !== undefined;
  const field = (name: 'title' | 'description' | 'price' | 'type' | 'paymentUrl' | 'productUrl') => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });

  return (
    <form {...form.formProps} className="mt-8 grid gap-7">
      <FormStatus errors={form.errors} failure={form.failure} success={success} />
      <fieldset disabled={locked} className="contents">
        <TextField label="Title" required {...field('title')} />
        <TextArea
          label="Description"
          {...field('description')}
          hint={<Counter text={form.values.description} max={limits.descriptionLength} />}
        />
        <div className="grid gap-7 sm:grid-cols-2">
          <TextField
            label="Price"
            required
            placeholder="R150, $12, or Pay what you can"
            {...field('price')}
          />
          <SelectField label="Type" required {...field('type')}>
            {offeringTypes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          label="Payment Link"
          required
          type="url"
          inputMode="url"
          placeholder="https://"
          hint="Where “Access Now” sends your visitors: a checkout, booking or payment page of yours."
          {...field('paymentUrl')}
        />
        <TextField
          label="Product Link"
          type="url"
          inputMode="url"
          placeholder="https://"
          hint="Optional, for your own reference. Visitors never see it."
          {...field('productUrl')}
        />
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
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={locked}>
          {form.busy ? props.busyLabel : props.submitLabel}
        </Button>
        <Button look="quiet" onClick={() => void navigate(paths.dashboard)} disabled={locked}>
          Cancel
        </Button>
      </div>
      <LeaveGuard active={form.dirty && success === undefined} />
    </form>
  );
}

function Counter({ text, max }: { text: string; max: number }): ReactNode {
  const count = countCharacters(text);
  return (
    <span className={count > max ? 'text-danger font-semibold' : undefined}>
      {count} / {max} characters
    </span>
  );
}
