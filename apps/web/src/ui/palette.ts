import type { Palette } from '@stoa/contracts';
import { defaultPalette } from '@stoa/contracts/facts';
import { useLayoutEffect } from 'react';

/** What `data-palette` says of an element in these colours; those of Stoa need no attribute. */
export const paletteAttribute = (palette: Palette | undefined): Palette | undefined =>
  palette === defaultPalette ? undefined : palette;

/** Shows the whole page in a creator's colours, or in those of Stoa. The server writes the same on the first page. */
export function usePalette(palette: Palette | undefined): void {
  // Before the paint: a page never shows in the colours of the one before.
  useLayoutEffect(() => {
    const attribute = paletteAttribute(palette);
    if (attribute) document.documentElement.dataset.palette = attribute;
    else delete document.documentElement.dataset.palette;
  }, [palette]);
}
