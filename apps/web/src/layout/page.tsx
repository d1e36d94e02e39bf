import type { Palette } from '@stoa/contracts';
import { documentTitle, siteTitle } from '@stoa/contracts/facts';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '../ui/class-names.ts';
import { usePalette } from '../ui/palette.ts';

/** The path of the page on screen. The server renders for many users and has none. */
let shown = typeof location === 'undefined' ? undefined : location.pathname;

interface PageProps {
  title: string;
  width?: 'full' | 'wide' | 'text';
  /** Reduces the space at the top on a phone. */
  dense?: boolean;
  /** A creator's room, where tools matter more than space. */
  room?: boolean;
  /** The palette of the creator whose page it is. */
  palette?: Palette | undefined;
  children: ReactNode;
}

/** Sets a page's title and colours, and moves the focus after a navigation. */
export function usePage(title: string, palette?: Palette): void {
  usePalette(palette);

  useEffect(() => {
    document.title = title === 'Stoa' ? siteTitle : documentTitle(title);
    // A navigation moves the focus there. Screen readers then read the page's name, even before its heading
    // exists.
    document.getElementById('main')?.setAttribute('aria-label', title);
  }, [title]);

  useEffect(() => {
    // The browser places the focus on the first page. A page that has received its data is still the same
    // page.
    if (shown === location.pathname) return;
    shown = location.pathname;
    // A fragment names a better target than the top.
    if (!location.hash) document.getElementById('main')?.focus({ preventScroll: true });
  }, []);
}

export function Page({ title, width = 'wide', dense, room, palette, children }: PageProps) {
  usePage(title, palette);
  return (
    <div
      className={classNames(
        width !== 'full' && 'mx-auto w-full px-5 py-12 sm:px-8 sm:py-16',
        dense && 'max-sm:pt-5',
        room && 'pt-4 pb-5 sm:pt-7 sm:pb-12',
        width === 'wide' && 'max-w-6xl',
        width === 'text' && 'max-w-3xl',
      )}
    >
      {children}
    </div>
  );
}
