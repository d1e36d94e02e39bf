import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { reloadPage } from './lost-code.ts';
import { Button } from '../ui/button.tsx';

interface LazyPartOptions {
  /** Placeholder while the code loads. */
  waiting?: ReactNode;
  /** The subject of “… could not be loaded.” */
  name: string;
}

/**
 * A part of a page in its own chunk. If the chunk fails to load, the rest of the page stays, and a retry
 * appears in its place.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { waiting = null, name }: LazyPartOptions,
): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined;
  return function LazyPart(props: P) {
    const [state, setState] = useState<'loading' | 'here' | 'lost'>(Loaded ? 'here' : 'loading');
    const [failures, setFailures] = useState(0);

    useEffect(() => {
      if (state !== 'loading') return;
      let left = false;
      load().then(
        (part) => {
          Loaded = part.default;
          if (!left) setState('here');
        },
        (error: unknown) => {
          console.error(error);
          if (left) return;
          setFailures((count) => count + 1);
          setState('lost');
        },
      );
      return () => {
        left = true;
      };
    }, [state]);

    if (Loaded && state === 'here') return <Loaded {...props} />;
    return state === 'lost' ? (
      <Lost name={name} failures={failures} onRetry={() => setState('loading')} />
    ) : (
      waiting
    );
  };
}

function Lost({ name, failures, onRetry }: { name: string; failures: number; onRetry: () => void }) {
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  });
  // Some browsers cache a failed module until a reload. Its release may also be gone.
  const mustReload = failures > 1 && navigator.onLine;
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-danger font-medium">
        {name} could not be loaded.{!navigator.onLine && ' You are offline.'}
        {mustReload && ' Reload the page: what you typed is kept.'}
      </p>
      <Button look="secondary" size="small" onClick={mustReload ? reloadPage : onRetry}>
        {mustReload ? 'Reload Page' : 'Try Again'}
      </Button>
    </div>
  );
}
