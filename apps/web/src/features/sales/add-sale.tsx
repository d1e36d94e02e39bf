import { NewSaleForm, type Offering, saleLimits, type SaleWithKey } from '@stoa/contracts';
import { useEffect, useRef } from 'react';
import { FormStatus } from '../../forms/form-status.tsx';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { validateWith } from '../../forms/validate-with.ts';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/text-field.tsx';
import { saleErrorMessages } from './sale-messages.ts';
import { useAddSale } from './sales.queries.ts';

interface AddSaleProps {
  offerings: readonly Offering[];
  /** The offering that the form opens with. */
  chosen: string;
  onAdded: (added: SaleWithKey) => void;
  onCancel: () => void;
}

/** The limits are texts here; an empty one stands for no limit. */
interface Values {
  offeringId: string;
  transactionId: string;
  provider: string;
  downloads: string;
  days: string;
}

const numberOf = (text: string) => (text.trim() === '' ? null : Number(text));
const formOf = (values: Values) => ({
  ...values,
  downloads: numberOf(values.downloads),
  days: numberOf(values.days),
});

function errorsOf(values: Values): FieldErrors {
  const { downloads, days, ...errors } = validateWith(NewSaleForm, formOf(values));
  const words = (max: number) => `Enter a whole number from 1 to ${max}, or leave it empty.`;
  return {
    ...errors,
    ...(downloads && { downloads: words(saleLimits.saleMaxDownloads) }),
    ...(days && { days: words(saleLimits.saleMaxDays) }),
  };
}

const providers = ['Stripe', 'PayPal', 'Lemon Squeezy', 'Gumroad', 'Ko-fi', 'Bank transfer'];

export function AddSale({ offerings, chosen, onAdded, onCancel }: AddSaleProps) {
  const add = useAddSale();
  const added = useRef<SaleWithKey>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm<Values>({
    initial: {
      offeringId: offerings.some(({ id }) => id === chosen) ? chosen : (offerings[0]?.id ?? ''),
      transactionId: '',
      provider: '',
      downloads: String(saleLimits.saleDownloads),
      days: String(saleLimits.saleDays),
    },
    words: saleErrorMessages.add,
    validate: errorsOf,
    submit: async (values) => {
      added.current = await add.mutateAsync(NewSaleForm.parse(formOf(values)));
    },
    goOn: () => {
      if (added.current) onAdded(added.current);
    },
  });
  useEffect(() => heading.current?.focus(), []);
  const field = (name: Exclude<keyof Values, 'offeringId'>) => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });
  return (
    <section aria-labelledby="add-sale" className="border-line rounded-card mb-6 border p-4 sm:p-6">
      <h2 ref={heading} id="add-sale" tabIndex={-1} className="mb-5 text-2xl">
        Add a Sale
      </h2>
      <form {...form.formProps} className="grid gap-5">
        <fieldset disabled={form.busy} className="contents">
          <SelectField
            label="Offering"
            required
            name="offeringId"
            value={form.values.offeringId}
            error={form.errors['offeringId']}
            onChange={({ target }) => form.change({ offeringId: target.value })}
          >
            {offerings.map(({ id, title }) => (
              <option key={id} value={id} dir="auto">
                {title}
              </option>
            ))}
          </SelectField>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label="Payment ID"
              required
              autoComplete="off"
              hint="The order or transaction number at your payment provider."
              {...field('transactionId')}
            />
            <TextField
              label="Payment Provider"
              autoComplete="off"
              list="providers"
              hint="Optional: where the buyer has paid."
              {...field('provider')}
            />
            <datalist id="providers">
              {providers.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <TextField
              label="Uses"
              inputMode="numeric"
              hint="How often the link opens the download page. Empty: without limit."
              {...field('downloads')}
            />
            <TextField
              label="Days"
              inputMode="numeric"
              hint="How long the link works. Empty: without end."
              {...field('days')}
            />
          </div>
        </fieldset>
        <FormStatus errors={form.errors} failure={form.failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="small" disabled={form.busy}>
            {form.busy ? 'Adding...' : 'Add Sale'}
          </Button>
          <Button look="secondary" size="small" disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
        </div>
        <LeaveGuard active={form.dirty && !form.done} changes={form.values} />
      </form>
    </section>
  );
}
