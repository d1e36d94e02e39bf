import { Button } from '../ui/button.tsx';
import { usePalette } from '../ui/palette.ts';
import { Interactive } from '../browser/early-input.ts';

/** A page that breaks, or whose code cannot be fetched after a new release, says so instead of going blank. */
export function PageBroken() {
  usePalette(undefined);
  return (
    <div role="alert" className="mx-auto grid max-w-3xl justify-items-center gap-6 px-5 py-24 text-center">
      <h1 className="text-3xl">This page could not be shown.</h1>
      {!navigator.onLine && <p>You are offline.</p>}
      <Button look="secondary" onClick={() => location.reload()}>
        Try again
      </Button>
      <Interactive />
    </div>
  );
}
