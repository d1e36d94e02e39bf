import { useId, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { answersForm } from './use-form.ts';

/** Notices that what is edited was saved elsewhere meanwhile; `read` answers it as it is now. */
export function useEditConflict<V extends { version: number }, S extends { version: number }>(
  read: () => Promise<S>,
  isSavedIn: (stored: S, values: V) => boolean,
) {
  const [stored, setStored] = useState<S>();
  /** Sends an edit of `opened`. Rejects where somebody saved other values meanwhile, which are `stored` then. */
  async function save(opened: V, values: V, send: (version: number) => Promise<S>): Promise<S> {
    setStored(undefined);
    try {
      return await send(values.version);
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'precondition_failed')) throw error;
      const now = await read();
      // A try before had gone well, and its answer was lost.
      if (isSavedIn(now, values)) return now;
      // Something else than the form is new, such as that the address was proved. A draft may be older than `opened`.
      if (values.version === opened.version && isSavedIn(now, opened)) return send(now.version);
      setStored(now);
      throw error;
    }
  }
  return { stored, save };
}

interface EditConflictProps<S> {
  message: string;
  /** Page that shows what is stored now. */
  lookAt: string;
  stored: S;
  onTakeOver: (stored: S) => void;
  onOverwrite: (stored: S) => void;
}

/**
 * What somebody may do whose edit came second. It takes the focus, so that it is read out with its message: a live region
 * beside it would say the same twice.
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
