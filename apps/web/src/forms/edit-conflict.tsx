import { useId, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { answersForm } from './use-form.ts';

/**
 * Detects that the edited record was saved elsewhere since it was opened. `read` returns the stored record.
 */
export function useEditConflict<V extends { version: number }, S extends { version: number }>(
  read: () => Promise<S>,
  isSavedIn: (stored: S, values: V) => boolean,
) {
  const [stored, setStored] = useState<S>();
  /** Sends an edit of `opened`. Rejects if other values were saved since then, and sets `stored` to them. */
  async function save(opened: V, values: V, send: (version: number) => Promise<S>): Promise<S> {
    setStored(undefined);
    try {
      return await send(values.version);
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'precondition_failed')) throw error;
      const now = await read();
      // A previous attempt succeeded, but its answer was lost.
      if (isSavedIn(now, values)) return now;
      // Only other fields changed, such as the confirmation of the address. A draft may be older than
      // `opened`.
      if (values.version === opened.version && isSavedIn(now, opened)) return send(now.version);
      setStored(now);
      throw error;
    }
  }
  return { stored, save };
}

interface EditConflictProps<S> {
  message: string;
  /** The page that shows the stored record. */
  lookAt: string;
  stored: S;
  onTakeOver: (stored: S) => void;
  onOverwrite: (stored: S) => void;
}

/**
 * The choices after a conflict. It takes the focus, so a screen reader reads it with its message. A live
 * region would repeat the message.
 */
export function EditConflict<S>({ message, lookAt, stored, onTakeOver, onOverwrite }: EditConflictProps<S>) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} tabIndex={-1} {...answersForm} className="pb-1 sm:pb-3">
      <p id={id} className="font-medium text-pretty">
        {message}
      </p>
      <div className="mt-3 grid gap-2 sm:mt-4 sm:flex sm:flex-wrap sm:items-center sm:gap-3">
        <Button look="secondary" onClick={() => onOverwrite(stored)}>
          Overwrite it with mine
        </Button>
        <Button look="secondary" onClick={() => onTakeOver(stored)}>
          Discard mine, take over what is saved
        </Button>
        <a href={lookAt} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          See what is saved (new tab)
        </a>
      </div>
    </div>
  );
}
