import { limits } from '@stoa/contracts/limits';
import { useRef } from 'react';
import type { FieldErrors } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { BinIcon, PlusIcon } from '../../ui/editor-icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { emptyRow, type PaygateRow } from './profile-form.ts';

interface PaygateRowsProps {
  rows: readonly PaygateRow[];
  errors: FieldErrors;
  onChange: (rows: PaygateRow[]) => void;
}

export function PaygateRows({ rows, errors, onChange }: PaygateRowsProps) {
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (key: string, changes: Partial<PaygateRow>) => {
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  };
  const remove = (key: string) => {
    onChange(rows.filter((row) => row.key !== key));
    // The removed row takes the focus with it; this is the nearest place to go on.
    addButton.current?.focus();
  };

  return (
    <fieldset>
      <legend className="mb-1 font-serif text-2xl font-semibold">Payment Links</legend>
      <p className="text-muted mb-4 text-sm">
        Ways to support you, shown on your profile. Only rows with both a name and a link are saved.
      </p>
      <ul className="grid gap-4">
        {rows.map((row, index) => (
          <li
            key={row.key}
            className="border-line bg-surface rounded-card grid items-start gap-4 border p-4 sm:grid-cols-[1fr_1.5fr_auto]"
          >
            <TextField
              label="Name"
              aria-label={`Name of payment link ${index + 1}`}
              placeholder="PayPal"
              value={row.name}
              error={errors[`paygates.${row.key}.name`]}
              onChange={(event) => change(row.key, { name: event.target.value })}
            />
            <TextField
              label="Link"
              aria-label={`Address of payment link ${index + 1}`}
              type="url"
              inputMode="url"
              placeholder="https://"
              value={row.url}
              error={errors[`paygates.${row.key}.url`]}
              onChange={(event) => change(row.key, { url: event.target.value })}
            />
            <Button
              look="quiet"
              size="small"
              aria-label={`Remove payment link ${index + 1}`}
              onClick={() => remove(row.key)}
              className="sm:mt-8"
            >
              <BinIcon />
            </Button>
          </li>
        ))}
      </ul>
      {errors.paygates && <p className="text-danger mt-2 text-sm font-medium">{errors.paygates}</p>}
      <button
        ref={addButton}
        type="button"
        disabled={rows.length >= limits.paygates}
        onClick={() => onChange([...rows, emptyRow()])}
        className="text-accent hover:text-accent-strong mt-4 inline-flex min-h-11 items-center gap-2 rounded-lg font-semibold disabled:opacity-50"
      >
        <PlusIcon /> Add Payment Link
      </button>
    </fieldset>
  );
}
