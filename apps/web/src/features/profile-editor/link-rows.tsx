import { useEffect, useRef, useState } from 'react';
import { InsecureLink } from '../../forms/insecure-link.tsx';
import { LinkField } from '../../forms/link-field.tsx';
import type { FieldErrors } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { BinIcon, DownIcon, PlusIcon, UpIcon } from '../../ui/editor-icons.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useGroupError } from '../../ui/group-error.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { emptyRow, type LinkRow } from './profile-form.ts';

/** What a list of links is called on screen. */
interface Words {
  title: string;
  hint: string;
  /** One of them, before its number. */
  one: string;
  /** What the first field of a row is called, and an example of it. */
  name: string;
  example: string;
  add: string;
  full: string;
}

export interface LinkRowsProps {
  rows: readonly LinkRow[];
  errors: FieldErrors;
  /** With the paths of the fields that this touches. */
  onChange: (rows: LinkRow[], touched: readonly string[]) => void;
}

interface FieldsProps extends LinkRowsProps {
  field: 'paygates' | 'links';
  most: number;
  words: Words;
  /** Whether visitors see them in an order of the creator's. */
  sortable?: boolean;
}

/** A list of named links, of which only the full rows are saved. */
export function LinkRows({ field, rows, errors, onChange, most, words, sortable }: FieldsProps) {
  const group = useGroupError(errors[field]);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const next = useRef<() => HTMLElement | null | undefined>(undefined);

  // Where one goes on can take the focus only once it is on screen.
  useEffect(() => {
    next.current?.()?.focus();
    next.current = undefined;
  }, [rows]);

  const rowAt = (index: number) => list.current?.children.item(index);
  const change = (key: string, part: 'name' | 'url', text: string) => {
    const changed = rows.map((row) => (row.key === key ? { ...row, [part]: text } : row));
    onChange(changed, [`${field}.${key}.${part}`]);
  };
  const add = () => {
    next.current = () => rowAt(rows.length)?.querySelector('input');
    onChange([...rows, emptyRow()], []);
  };
  const remove = (key: string) => {
    const index = rows.findIndex((row) => row.key === key);
    // Where the row stood now stands the next one; after the last there is the one before, or the way to add one.
    next.current = () =>
      rowAt(Math.min(index, rows.length - 2))?.querySelector<HTMLElement>('[data-remove]') ??
      addButton.current;
    onChange(
      rows.filter((row) => row.key !== key),
      [`${field}.${key}`],
    );
  };
  const mover = (from: number, by: -1 | 1) => {
    const to = from + by;
    const label = `Move ${words.one} ${from + 1} ${by < 0 ? 'up' : 'down'}`;
    const move = () => {
      const moved = [...rows];
      moved.splice(to, 0, ...moved.splice(from, 1));
      // It goes along with what it moves.
      next.current = () => rowAt(to)?.querySelector<HTMLElement>(`[data-move="${by}"]`);
      setSaid(`Now ${to + 1} of ${rows.length}.`);
      onChange(moved, []);
    };
    return { label, 'data-move': by, unavailable: to < 0 || to >= rows.length, onClick: move };
  };

  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">{words.title}</legend>
      <p className="text-muted mb-4 text-sm">{words.hint}</p>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ul ref={list} className="grid gap-4">
        {rows.map((row, index) => (
          <li
            key={row.key}
            className="border-line bg-surface rounded-card grid items-start gap-4 border p-4 sm:grid-cols-[1fr_1.5fr_auto]"
          >
            <TextField
              label={words.name}
              aria-label={`${words.name} of ${words.one} ${index + 1}`}
              placeholder={words.example}
              value={row.name}
              error={errors[`${field}.${row.key}.name`]}
              hint={
                missingIn(row) === 'name' && `Add a ${words.name.toLowerCase()}, or this row is not saved.`
              }
              onChange={(event) => change(row.key, 'name', event.target.value)}
            />
            <InsecureLink
              url={row.url}
              label={`${words.one} ${index + 1}`}
              onFix={(fixed) => change(row.key, 'url', fixed)}
            >
              <LinkField
                label="Link"
                aria-label={`Address of ${words.one} ${index + 1}`}
                value={row.url}
                error={errors[`${field}.${row.key}.url`]}
                hint={missingIn(row) === 'url' && 'Add a link, or this row is not saved.'}
                onType={(url) => change(row.key, 'url', url)}
              />
            </InsecureLink>
            <div className="flex items-center sm:mt-8">
              {sortable && rows.length > 1 && (
                <>
                  <IconButton {...mover(index, -1)}>
                    <UpIcon />
                  </IconButton>
                  <IconButton {...mover(index, 1)}>
                    <DownIcon />
                  </IconButton>
                </>
              )}
              <Button
                look="quiet"
                size="small"
                data-remove
                aria-label={`Remove ${words.one} ${index + 1}`}
                onClick={() => remove(row.key)}
              >
                <BinIcon />
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {group.message}
      <button
        ref={addButton}
        type="button"
        disabled={rows.length >= most}
        onClick={add}
        className="text-accent hover:text-accent-strong rounded-field mt-4 inline-flex min-h-11 items-center gap-2 font-semibold disabled:opacity-50"
      >
        <PlusIcon /> {words.add}
      </button>
      {rows.length >= most && <p className="text-muted text-sm">{words.full}</p>}
    </fieldset>
  );
}

/** The half that a row still needs to be saved; nothing while it is empty or full. */
function missingIn({ name, url }: LinkRow): 'name' | 'url' | undefined {
  const named = name.trim() !== '';
  const linked = url.trim() !== '';
  if (named === linked) return undefined;
  return named ? 'url' : 'name';
}
