import { type ReactNode, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';

interface SaveBarProps {
  status: ReactNode;
  /** Replaces the buttons until the user answers it. */
  question?: ReactNode;
  unsaved: boolean;
  /** The uploads that the save waits for, with a button that cancels the save. */
  wait?: ReactNode;
  /** Whether changes are disabled now. */
  locked: boolean;
  onDiscard: () => void;
  children: ReactNode;
  /** The link that leaves the form. On a phone it makes room for the buttons. */
  leave: ReactNode;
}

/**
 * The buttons and status of a form. It sticks to the bottom of the window while changes are unsaved, and
 * always on a phone, there above the tabs of the rooms. In a very low window it does not stick.
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
        'max-sm:bg-paper max-sm:border-line max-sm:z-10 max-sm:-mx-5 max-sm:border-t max-sm:px-5 max-sm:pt-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:[@media(min-height:30rem)]:sticky max-sm:[@media(min-height:30rem)]:bottom-(--room-tabs)',
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

/** For the surrounding form: focused elements scroll above the bar, even while the bar shows a failure. */
export const aboveSaveBar = '[&_:is(input,textarea,select,button,a)]:scroll-mb-48';
