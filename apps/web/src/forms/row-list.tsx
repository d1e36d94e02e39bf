import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useGroupError } from '../ui/fields/group-error.tsx';
import { BinIcon, DownIcon, PlusIcon, UpIcon } from '../ui/icons/editor-icons.tsx';
import { IconButton } from '../ui/icon-button.tsx';

/** What a list is called on screen. */
export interface RowListWords {
  title: string;
  hint: ReactNode;
  /** One of its rows, before its number. */
  one: string;
  add: string;
  full: string;
}

export interface RowListProps<Row> {
  rows: readonly Row[];
  /** What is wrong with the list as a whole. */
  error: string | undefined;
  /** Names a row in the paths of its fields, also once rows above it are gone. */
  keyOf: (row: Row, index: number) => string;
  empty: () => Row;
  most: number;
  words: RowListWords;
  /** Whether visitors see the rows in an order of the creator's. */
  sortable?: boolean;
  /** `removed` is the key of a row that is gone. */
  onChange: (rows: Row[], removed?: string) => void;
  /** The fields of a row: elements of a grid that ends with its buttons. */
  children: (row: Row, index: number) => ReactNode;
  /** The columns of that grid. */
  columns: string;
}

/** A list of rows that a creator adds, removes and moves. The focus follows what they do. */
export function RowList<Row>({
  rows,
  error,
  keyOf,
  empty,
  most,
  words,
  sortable,
  onChange,
  children,
  columns,
}: RowListProps<Row>) {
  const group = useGroupError(error);
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
  const add = () => {
    next.current = () => rowAt(rows.length)?.querySelector<HTMLElement>('input, textarea');
    onChange([...rows, empty()]);
  };
  const remove = (row: Row, index: number) => {
    // Where the row stood now stands the next one; after the last there is the one before, or the way to add one.
    next.current = () =>
      rowAt(Math.min(index, rows.length - 2))?.querySelector<HTMLElement>('[data-remove]') ??
      addButton.current;
    onChange(rows.toSpliced(index, 1), keyOf(row, index));
  };
  const mover = (row: Row, from: number, by: -1 | 1) => {
    const to = from + by;
    const label = `Move ${words.one} ${from + 1} ${by < 0 ? 'up' : 'down'}`;
    const move = () => {
      // It goes along with what it moves.
      next.current = () => rowAt(to)?.querySelector<HTMLElement>(`[data-move="${by}"]`);
      setSaid(`Now ${to + 1} of ${rows.length}.`);
      onChange(rows.toSpliced(from, 1).toSpliced(to, 0, row));
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
            key={keyOf(row, index)}
            className={`border-line bg-surface rounded-card grid items-start gap-4 border p-4 ${columns}`}
          >
            {children(row, index)}
            <div className="flex items-center sm:mt-8">
              {sortable && rows.length > 1 && (
                <>
                  <IconButton {...mover(row, index, -1)}>
                    <UpIcon />
                  </IconButton>
                  <IconButton {...mover(row, index, 1)}>
                    <DownIcon />
                  </IconButton>
                </>
              )}
              <Button
                look="quiet"
                size="small"
                data-remove
                aria-label={`Remove ${words.one} ${index + 1}`}
                onClick={() => remove(row, index)}
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
