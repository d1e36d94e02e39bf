import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ConfirmDialogProps } from '../ui/confirm-dialog.tsx';
import { leavingWithSavedDrafts } from './drafts.ts';
import { entryIndex, interceptPopState } from './history-entries.ts';

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
  const navigate = useNavigate();
  const [leave, setLeave] = useState<() => void>();
  const dialog = useDialog(active);
  const released = useRef(false);

  const release = (go: () => void) => {
    released.current = true;
    setLeave(undefined);
    go();
  };

  useEffect(() => {
    if (!active) return;
    released.current = false;
    const ask = (go: () => void) => setLeave(() => go);

    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!released.current && !leavingWithSavedDrafts()) event.preventDefault();
    };
    const click = (event: MouseEvent) => {
      if (released.current) return;
      const go = wayOut(event, (target) => void navigate(target));
      if (!go) return;
      event.preventDefault();
      event.stopPropagation();
      ask(go);
    };
    const openGate = interceptPopState(guardHistory(ask, released));

    addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', click, true);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', click, true);
      openGate();
    };
  }, [active, navigate]);

  useEffect(() => {
    // Whoever goes on changing things has not left after all, as when the link led to this very page.
    released.current = false;
  }, [changes]);

  if (!dialog) return null;
  return (
    <dialog.Component
      open={leave !== undefined}
      {...question}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => leave && release(leave)}
      onCancel={() => setLeave(undefined)}
    />
  );
}

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

/** How the click would leave the page; undefined when it stays, or when `beforeunload` will ask. */
function wayOut(event: MouseEvent, follow: (target: string) => void): (() => void) | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const clicked = event.target instanceof Element ? event.target : null;
  const button = clicked?.closest<HTMLElement>('button[data-leaves-page]');
  if (button) return () => button.click();
  const link = clicked?.closest('a');
  if (!link || link.target || link.origin !== location.origin) return undefined;
  if (link.hash && link.pathname === location.pathname) return undefined;
  return () => follow(link.pathname + link.search + link.hash);
}

/**
 * By the time a step through the history is heard of, it is done: it is taken back, unseen by the router, until the
 * question is answered. The Navigation API could stop it, but not in every browser, nor without a recent gesture.
 */
function guardHistory(ask: (go: () => void) => void, released: { readonly current: boolean }) {
  const { pathname } = location;
  let at = entryIndex();
  let returning = false;
  return (event: PopStateEvent) => {
    if (returning) {
      returning = false;
      event.stopImmediatePropagation();
      return;
    }
    const index = entryIndex();
    // Whoever went to a hash of this page stands there from now on.
    if (location.pathname === pathname) at = index;
    if (released.current || location.pathname === pathname || index === undefined || at === undefined) return;
    event.stopImmediatePropagation();
    const steps = index - at;
    returning = true;
    history.go(-steps);
    ask(() => history.go(steps));
  };
}
