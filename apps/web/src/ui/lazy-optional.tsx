import { type ComponentType, lazy, memo, Suspense } from 'react';

/**
 * A part that nobody sees at first and that a page works without: its code comes after the page's own. A page that renders
 * anew before that, as once it is known who is here, leaves the part as the server made it: told of new props, React would
 * take it away until its code is there, and the page would jump.
 */
export function lazyOptional<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.warn(error);
      // Nothing in its place would not match what the server has made: it stays, as where a page is left in the midst of it.
      return new Promise<never>(() => {});
    }
  }) as ComponentType<P>;
  return memo((props: P) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )) as unknown as ComponentType<P>;
}
