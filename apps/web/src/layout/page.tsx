import type { Palette } from '@stoa/contracts';
import { documentTitle, siteTitle } from '@stoa/contracts/facts';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '../ui/class-names.ts';
import { usePalette } from '../ui/palette.ts';

let shown: string | undefined;

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
    // A page that got its data is still the same page: the focus stays.
    if (shown === location.pathname) return;
    const first = shown === undefined;
    shown = location.pathname;
    // The browser itself places the focus on the first page; a hash names a better place than the top.
    if (!first && !location.hash) document.getElementById('main')?.focus({ preventScroll: true });
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
