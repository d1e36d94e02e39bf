import { useEffect, useRef, useState } from 'react';
import { type Location, type NavigationType, useBlocker } from 'react-router-dom';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { leavingWithSavedDrafts } from '../browser/drafts.ts';

const question = {
  title: 'Leave without saving?',
  text: 'You have changes that are not saved. If you leave now, they are lost.',
};

interface LeaveGuardProps {
  active: boolean;
  /** The unsaved values, compared by identity. */
  changes: unknown;
}

/** Asks before unsaved changes are lost by a link, the back button, a log-out or closing the page. */
export function LeaveGuard({ active, changes }: LeaveGuardProps) {
  const [leave, setLeave] = useState<() => void>();
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
    // Handles ways to leave that bypass the router.
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
    // A further change means that the user is still on the page, as after a link to this page.
    released.current = false;
  }, [changes]);

  return (
    <ConfirmDialog
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

/** Whether a navigation stays on the same page. A link without a fragment renders the page again. */
const isWithinPage = (from: Location, to: Location, action: `${NavigationType}`): boolean =>
  from.pathname === to.pathname && (action === 'POP' || to.hash !== '');
