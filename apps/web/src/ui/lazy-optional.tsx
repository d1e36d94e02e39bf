import { type ComponentType, lazy, memo, Suspense } from 'react';

/**
 * A part that the page works without, below the first screen. Its code loads after the page's own. `memo`
 * keeps the server's HTML while the page renders again, such as after the session check. With new props React
 * would remove the part until its code arrives, and the page would jump. A page without the server's HTML shows
 * `Meanwhile` until then.
 */
export function lazyOptional<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<P>,
): ComponentType<P> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.warn(error);
      // An empty part would not match the server's HTML. A pending promise keeps that HTML.
      return new Promise<never>(() => {});
    }
  }) as ComponentType<P>;
  return memo((props: P) => (
    <Suspense fallback={Meanwhile && <Meanwhile {...props} />}>
      <Part {...props} />
    </Suspense>
  )) as unknown as ComponentType<P>;
}
