import type { Palette } from '@stoa/contracts';
import { documentTitle, siteTitle } from '@stoa/contracts/facts';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '../ui/class-names.ts';
import { usePalette } from '../ui/palette.ts';

/** The path whose page the reader is on; the server, which renders for many readers, has none. */
let shown = typeof location === 'undefined' ? undefined : location.pathname;

interface PageProps {
  title: string;
  width?: 'full' | 'wide' | 'text';
  /** Begins close to the top on a phone. */
  dense?: boolean;
  /** That of the creator whose page it is. */
  palette?: Palette | undefined;
  children: ReactNode;
}

/** A page's title and colours, and where the keyboard stands after arriving on it. */
export function usePage(title: string, palette?: Palette): void {
  usePalette(palette);

  useEffect(() => {
    document.title = title === 'Stoa' ? siteTitle : documentTitle(title);
    // Where the focus goes with a step: screen readers then name the page, also before its heading is there.
    document.getElementById('main')?.setAttribute('aria-label', title);
  }, [title]);

  useEffect(() => {
    // The browser itself places the focus on the first page. A page that got its data is still the same page.
    if (shown === location.pathname) return;
    shown = location.pathname;
    // A hash names a better place than the top.
    if (!location.hash) document.getElementById('main')?.focus({ preventScroll: true });
  }, []);
}

export function Page({ title, width = 'wide', dense, palette, children }: PageProps) {
  usePage(title, palette);
  return (
    <div
      className={classNames(
        width !== 'full' && 'mx-auto w-full px-5 py-12 sm:px-8 sm:py-16',
        dense && 'max-sm:pt-5',
        width === 'wide' && 'max-w-6xl',
        width === 'text' && 'max-w-3xl',
      )}
    >
      {children}
    </div>
  );
}
