import type { ReactNode } from 'react';

/**
 * What saves a form, with what came of it: on a phone always in reach at the foot of the window, unless the window is too
 * low for that.
 */
export function SaveBar({ status, children }: { status: ReactNode; children: ReactNode }) {
  return (
    <div className="max-sm:bg-paper max-sm:border-line max-sm:z-10 max-sm:-mx-5 max-sm:border-t max-sm:px-5 max-sm:py-3 max-sm:[@media(min-height:30rem)]:sticky max-sm:[@media(min-height:30rem)]:bottom-0">
      <div className="[&>:not(:empty)]:mb-4">{status}</div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  );
}

/** For the form around it: nothing comes to stand under the bar when it takes the focus, also while that tells of a failure. */
export const aboveSaveBar = 'max-sm:[&_:is(input,textarea,select,button,a)]:scroll-mb-48';
