import type { Palette } from '@stoa/contracts';
import { defaultPalette } from '@stoa/contracts/facts';
import { useLayoutEffect } from 'react';

/** The `data-palette` of an element in these colours. The default palette needs no attribute. */
export const paletteAttribute = (palette: Palette | undefined): Palette | undefined =>
  palette === defaultPalette ? undefined : palette;

/**
 * Sets the palette of the whole page: the creator's or the default. The server sets the same on the first
 * page.
 */
export function usePalette(palette: Palette | undefined): void {
  // Before the paint, so that a page never shows the previous page's colours.
  useLayoutEffect(() => {
    const attribute = paletteAttribute(palette);
    if (attribute) document.documentElement.dataset.palette = attribute;
    else delete document.documentElement.dataset.palette;
  }, [palette]);
}
