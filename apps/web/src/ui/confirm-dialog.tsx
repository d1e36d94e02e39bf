import * as AlertDialog from '@radix-ui/react-alert-dialog';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { dialogBoxClass, dialogOverlayClass } from './dialog-class.ts';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: ReactNode;
  /** What is better for most, before the other answers. */
  alternative?: { readonly label: string; readonly onChoose: () => void } | undefined;
  confirmLabel: string;
  cancelLabel?: string;
  busyLabel?: string | undefined;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A question that must be answered before anything else. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    title,
    text,
    alternative,
    confirmLabel,
    cancelLabel = 'Cancel',
    busy = false,
    busyLabel,
    onConfirm,
    onCancel,
  } = props;
  const asker = useRef<Element>(null);
  // The second click of two comes before the button is disabled.
  const confirmed = useRef(false);
  useEffect(() => {
    confirmed.current = false;
  }, [open, busy]);
  const once = (answer: () => void) => () => {
    if (confirmed.current) return;
    confirmed.current = true;
    answer();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !busy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={dialogOverlayClass} />
        <AlertDialog.Content
          onOpenAutoFocus={() => {
            asker.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(asker.current);
          }}
          className={`${dialogBoxClass} max-w-md p-7`}
        >
          <AlertDialog.Title className="text-2xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-muted mt-3">{text}</AlertDialog.Description>
          <div className="mt-7 flex flex-wrap justify-end gap-3">
            {alternative && (
              <Button onClick={once(alternative.onChoose)} disabled={busy}>
                {alternative.label}
              </Button>
            )}
            <AlertDialog.Cancel asChild>
              <Button look="secondary" disabled={busy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            <Button look={alternative ? 'danger' : 'primary'} onClick={once(onConfirm)} disabled={busy}>
              {busy && busyLabel ? busyLabel : confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Without a trigger of its own the dialog would leave the keyboard at the top of the document. */
function giveBackFocus(asker: Element | null): void {
  const { activeElement: focused, body } = document;
  // The answer has led to a place that took the focus itself.
  if (focused && focused !== body) return;
  if (asker instanceof HTMLElement && asker !== body && asker.isConnected) {
    asker.focus();
    if (document.activeElement === asker) return;
  }
  const place = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (!place) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus();
}
