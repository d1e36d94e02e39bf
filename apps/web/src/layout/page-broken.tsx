import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button } from '../ui/button.tsx';
import { usePalette } from '../ui/palette.ts';
import { Interactive } from '../browser/early-input.ts';
import { brokenEvent, recoverCode, reloadPage } from '../browser/lost-code.ts';

/** Shown in place of a page that breaks, or whose code fails to load even after a reload. */
export function PageBroken() {
  const error = useRouteError();
  const [isReloading] = useState(() => recoverCode(error));
  usePalette(undefined);
  useEffect(() => {
    dispatchEvent(new Event(brokenEvent));
    addEventListener('online', reloadPage);
    return () => removeEventListener('online', reloadPage);
  }, []);
  if (isReloading) return null;
  return (
    <div role="alert" className="mx-auto grid max-w-3xl justify-items-center gap-6 px-5 py-24 text-center">
      <h1 className="text-3xl">This page could not be shown.</h1>
      {!navigator.onLine && <p>You are offline.</p>}
      <Button look="secondary" onClick={reloadPage}>
        Try again
      </Button>
      <Interactive />
    </div>
  );
}
