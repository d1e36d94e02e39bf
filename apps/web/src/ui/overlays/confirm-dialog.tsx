import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { Modal } from './modal.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: ReactNode;
  /** A better choice for most users, shown before the other buttons. */
  alternative?: { readonly label: string; readonly onChoose: () => void } | undefined;
  confirmLabel: string;
  cancelLabel?: string;
  busyLabel?: string | undefined;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A question that blocks the page until it is answered. */
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
  const cancel = useRef<HTMLButtonElement>(null);
  // The second click of a double click comes before the button is disabled.
  const confirmed = useRef(false);
  useEffect(() => {
    confirmed.current = false;
  }, [open, busy]);
  const once = (answer: () => void) => () => {
    if (confirmed.current) return;
    confirmed.current = true;
    answer();
  };
  if (!open) return null;
  return (
    <Modal
      title={title}
      description={text}
      isQuestion
      first={cancel}
      canCancel={!busy}
      onCancel={onCancel}
      onClosed={giveBackFocus}
      className="max-w-md p-7"
    >
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        {alternative && (
          <Button onClick={once(alternative.onChoose)} disabled={busy}>
            {alternative.label}
          </Button>
        )}
        <Button ref={cancel} look="secondary" disabled={busy} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button look={alternative ? 'danger' : 'primary'} onClick={once(onConfirm)} disabled={busy}>
          {busy && busyLabel ? busyLabel : confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}

/**
 * If the opener is gone, moves the focus to the heading. Otherwise the keyboard would start at the top of the
 * document.
 */
function giveBackFocus(opener: Element | null): void {
  const { activeElement: focused, body } = document;
  // The answer has already moved the focus elsewhere.
  if (focused && focused !== body) return;
  if (opener instanceof HTMLElement && opener !== body && opener.isConnected) {
    opener.focus();
    if (document.activeElement === opener) return;
  }
  const place = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (!place) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus();
}
