import { limits } from '@stoa/contracts/limits';
import { useEffect, useRef } from 'react';
import type { FieldErrors } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { BinIcon, PlusIcon } from '../../ui/editor-icons.tsx';
import { useGroupError } from '../../ui/group-error.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { emptyRow, type PaygateRow } from './profile-form.ts';

interface PaygateRowsProps {
  rows: readonly PaygateRow[];
  errors: FieldErrors;
  /** With the paths of the fields that this touches. */
  onChange: (rows: PaygateRow[], touched: readonly string[]) => void;
}

export function PaygateRows({ rows, errors, onChange }: PaygateRowsProps) {
  const group = useGroupError(errors.paygates);
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const next = useRef<() => HTMLElement | null | undefined>(undefined);

  // Where one goes on can take the focus only once it is on screen.
  useEffect(() => {
    next.current?.()?.focus();
    next.current = undefined;
  }, [rows.length]);

  const rowAt = (index: number) => list.current?.children.item(index);
  const change = (key: string, field: 'name' | 'url', text: string) => {
    const changed = rows.map((row) => (row.key === key ? { ...row, [field]: text } : row));
    onChange(changed, [`paygates.${key}.${field}`]);
  };
  const add = () => {
    next.current = () => rowAt(rows.length)?.querySelector('input');
    onChange([...rows, emptyRow()], []);
  };
  const remove = (key: string) => {
    const index = rows.findIndex((row) => row.key === key);
    // Where the row stood now stands the next one; after the last there is the one before, or the way to add one.
    next.current = () =>
      rowAt(Math.min(index, rows.length - 2))?.querySelector('button') ?? addButton.current;
    onChange(
      rows.filter((row) => row.key !== key),
      [`paygates.${key}`],
    );
  };

  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">Payment Links</legend>
      <p className="text-muted mb-4 text-sm">
        Ways to support you, shown on your profile. Only rows with both a name and a link are saved.
      </p>
      <ul ref={list} className="grid gap-4">
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
              hint={missingIn(row) === 'name' && 'Add a name, or this row is not saved.'}
              onChange={(event) => change(row.key, 'name', event.target.value)}
            />
            <TextField
              label="Link"
              aria-label={`Address of payment link ${index + 1}`}
              type="url"
              inputMode="url"
              placeholder="https://"
              value={row.url}
              error={errors[`paygates.${row.key}.url`]}
              hint={missingIn(row) === 'url' && 'Add a link, or this row is not saved.'}
              onChange={(event) => change(row.key, 'url', event.target.value)}
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
      {group.message}
      <button
        ref={addButton}
        type="button"
        disabled={rows.length >= limits.paygates}
        onClick={add}
        className="text-accent hover:text-accent-strong mt-4 inline-flex min-h-11 items-center gap-2 rounded-lg font-semibold disabled:opacity-50"
      >
        <PlusIcon /> Add Payment Link
      </button>
      {rows.length >= limits.paygates && (
        <p className="text-muted text-sm">{`A profile has room for ${limits.paygates} payment links.`}</p>
      )}
    </fieldset>
  );
}

/** The half that a row still needs to be saved; nothing while it is empty or full. */
function missingIn({ name, url }: PaygateRow): 'name' | 'url' | undefined {
  const named = name.trim() !== '';
  const linked = url.trim() !== '';
  if (named === linked) return undefined;
  return named ? 'url' : 'name';
}
