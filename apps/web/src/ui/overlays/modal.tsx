import { type ReactNode, type RefObject, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../class-names.ts';

interface ModalProps {
  title: string;
  description: ReactNode;
  /** A question that blocks the page until it is answered. */
  isQuestion?: boolean;
  /** The element that gets the focus; otherwise the first control. */
  first?: RefObject<HTMLElement | null>;
  /** While false, Escape does nothing. */
  canCancel?: boolean;
  onCancel: () => void;
  /** `opener` had the focus before. The browser has returned the focus to it if it could. */
  onClosed: (opener: Element | null) => void;
  className: string;
  children: ReactNode;
}

/**
 * The platform's modal dialog, open while it is rendered. The rest of the page is inert and does not scroll.
 */
export function Modal(props: ModalProps) {
  const {
    title,
    description,
    isQuestion,
    first,
    canCancel = true,
    onCancel,
    onClosed,
    className,
    children,
  } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const closed = useEffectEvent(onClosed);

  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    first?.current?.focus();
    return () => {
      element?.close();
      // The dialog's replacement may take the focus first.
      setTimeout(() => closed(opener));
    };
  }, [first]);

  // Browsers close a dialog after Escape was pressed twice, even if `cancel` was prevented.
  const closedByBrowser = () => {
    // It has been opened again, as React repeats each effect in development.
    if (dialog.current?.open) return;
    if (canCancel) onCancel();
    else dialog.current?.showModal();
  };

  // A portal keeps its buttons out of a surrounding form.
  return createPortal(
    <dialog
      ref={dialog}
      role={isQuestion ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        if (canCancel) onCancel();
      }}
      onClose={closedByBrowser}
      className={classNames(
        'bg-surface text-ink border-line shadow-lifted animate-rise rounded-card m-auto w-[calc(100%-2rem)] border',
        'backdrop:bg-[rgb(20_16_14/0.55)]',
        className,
      )}
    >
      <div>
        <h2 id={`${id}-title`} className="text-2xl">
          {title}
        </h2>
        <div id={`${id}-text`} className="text-muted mt-2">
          {description}
        </div>
      </div>
      {children}
    </dialog>,
    document.body,
  );
}
