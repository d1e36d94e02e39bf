import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { draftsAreKept } from './drafts.ts';
import { navigationApi, type TraverseEvent } from './navigation-api.ts';

/** Asks before unsaved changes are left behind: by a link, by the back button, by closing the page. */
export function LeaveGuard({ active }: { active: boolean }) {
  const navigate = useNavigate();
  const [leave, setLeave] = useState<() => void>();

  useEffect(() => {
    if (!active) return;

    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!draftsAreKept()) event.preventDefault();
    };
    const click = (event: MouseEvent) => {
      const target = inAppTarget(event);
      if (!target) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => void navigate(target));
    };
    // Browsers without the Navigation API cannot stop their back button; the others ask.
    const traverse = (event: TraverseEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable || leave) return;
      event.preventDefault();
      const { key } = event.destination;
      setLeave(() => () => void navigationApi()?.traverseTo(key));
    };

    addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', click, true);
    navigationApi()?.addEventListener('navigate', traverse);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', click, true);
      navigationApi()?.removeEventListener('navigate', traverse);
    };
  }, [active, navigate, leave]);

  return (
    <ConfirmDialog
      open={leave !== undefined}
      title="Leave without saving?"
      text="You have changes that are not saved. If you leave now, they are lost."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => leave?.()}
      onCancel={() => setLeave(undefined)}
    />
  );
}

function inAppTarget(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.origin !== location.origin || link.hash) return undefined;
  return link.pathname + link.search;
}
