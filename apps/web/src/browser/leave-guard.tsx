import { type ComponentType, useEffect, useRef, useState } from 'react';
import { type Location, type NavigationType, useBlocker } from 'react-router-dom';
import type { ConfirmDialogProps } from '../ui/confirm-dialog.tsx';
import { leavingWithSavedDrafts } from './drafts.ts';

const question = {
  title: 'Leave without saving?',
  text: 'You have changes that are not saved. If you leave now, they are lost.',
};

interface LeaveGuardProps {
  active: boolean;
  /** What would be lost, compared by identity. */
  changes: unknown;
}

/** Asks before unsaved changes are left behind: by a link, by the back button, by logging out, by closing the page. */
export function LeaveGuard({ active, changes }: LeaveGuardProps) {
  const [leave, setLeave] = useState<() => void>();
  const dialog = useDialog(active);
  const released = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      active && !released.current && !isWithinPage(currentLocation, nextLocation, historyAction),
  );

  const confirmed = () => {
    released.current = true;
    setLeave(undefined);
    leave?.();
    blocker.proceed?.();
  };

  useEffect(() => {
    if (!active) return;
    released.current = false;
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!released.current && !leavingWithSavedDrafts()) event.preventDefault();
    };
    // Not by the router.
    const click = (event: MouseEvent) => {
      const clicked = event.target instanceof Element ? event.target : null;
      const button = clicked?.closest<HTMLElement>('button[data-leaves-page]');
      if (!button || released.current) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => button.click());
    };
    addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', click, true);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', click, true);
    };
  }, [active]);

  useEffect(() => {
    // Whoever goes on changing things has not left after all, as when the link led to this very page.
    released.current = false;
  }, [changes]);

  if (!dialog) return null;
  return (
    <dialog.Component
      open={leave !== undefined || blocker.state === 'blocked'}
      {...question}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={confirmed}
      onCancel={() => {
        setLeave(undefined);
        blocker.reset?.();
      }}
    />
  );
}

/** Whether a step leads to another place of the same page; a link without a fragment shows the page anew. */
const isWithinPage = (from: Location, to: Location, action: `${NavigationType}`): boolean =>
  from.pathname === to.pathname && (action === 'POP' || to.hash !== '');

/** The dialog's code weighs too much for a public page; it is fetched once there is something to lose. */
function useDialog(needed: boolean) {
  const [dialog, setDialog] = useState<{ Component: ComponentType<ConfirmDialogProps> }>();
  useEffect(() => {
    if (!needed) return;
    import('../ui/confirm-dialog.tsx').then(
      ({ ConfirmDialog }) => setDialog({ Component: ConfirmDialog }),
      (error: unknown) => {
        console.error(error);
        setDialog({ Component: BrowserDialog });
      },
    );
  }, [needed]);
  return dialog;
}

/** The browser's own question, for want of ours. */
function BrowserDialog({ open, title, text, onConfirm, onCancel }: ConfirmDialogProps) {
  useEffect(() => {
    if (!open) return;
    if (confirm(`${title}\n\n${text}`)) onConfirm();
    else onCancel();
  }, [open, title, text, onConfirm, onCancel]);
  return null;
}
