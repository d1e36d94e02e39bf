import { type ComponentType, lazy, Suspense } from 'react';

/** A part that nobody sees at first and that a page works without: its code comes after the page's own. */
export function lazyOptional<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.error(error);
      return { default: () => null };
    }
  }) as ComponentType<P>;
  return (props: P) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
