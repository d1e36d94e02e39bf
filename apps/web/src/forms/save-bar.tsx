import { type ReactNode, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface SaveBarProps {
  status: ReactNode;
  /** In place of what saves and discards, until it is answered. */
  question?: ReactNode;
  /** What would be lost. */
  unsaved: boolean;
  /** What the save waits for; it can be called off. */
  wait?: ReactNode;
  /** Nothing may be changed now. */
  locked: boolean;
  onDiscard: () => void;
  children: ReactNode;
  /** Leads away; on a phone it makes room for what saves and discards. */
  leave: ReactNode;
}

/**
 * What saves a form, with what came of it: in reach at the foot of the window while there is something to save, and on a phone
 * always, unless the window is too low for that.
 */
export function SaveBar({
  status,
  question,
  wait,
  unsaved,
  locked,
  onDiscard,
  children,
  leave,
}: SaveBarProps) {
  const [asking, setAsking] = useState(false);
  const discard = () => {
    setAsking(false);
    onDiscard();
  };
  return (
    <div
      className={classNames(
        'max-sm:bg-paper max-sm:border-line max-sm:z-10 max-sm:-mx-5 max-sm:border-t max-sm:px-5 max-sm:pt-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:[@media(min-height:30rem)]:sticky max-sm:[@media(min-height:30rem)]:bottom-0',
        unsaved &&
          'sm:bg-paper sm:border-line sm:rounded-t-card sm:shadow-lifted sm:z-10 sm:-mx-5 sm:border sm:border-b-0 sm:px-5 sm:pt-3 sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:[@media(min-height:30rem)]:sticky sm:[@media(min-height:30rem)]:bottom-0',
      )}
    >
      <div className="[&>:not(:empty)]:mb-4">{status}</div>
      {wait}
      {question || (
        <div className="flex flex-wrap items-center gap-2 sm:gap-3">
          {children}
          {unsaved && (
            <Button look="quiet" className="max-sm:px-3" disabled={locked} onClick={() => setAsking(true)}>
              Discard
            </Button>
          )}
          <div className={classNames(unsaved && 'max-sm:hidden')}>{leave}</div>
          {unsaved && !locked && (
            <p className="text-muted ms-auto text-sm max-sm:hidden">You have unsaved changes.</p>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title="Discard your changes?"
        text="What you changed since the last save is lost, with files that were not saved."
        confirmLabel="Discard Changes"
        cancelLabel="Keep Editing"
        onConfirm={discard}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}

/** For the form around it: nothing comes to stand under the bar when it takes the focus, also while that tells of a failure. */
export const aboveSaveBar = '[&_:is(input,textarea,select,button,a)]:scroll-mb-48';
