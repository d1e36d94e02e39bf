import figtree from './fonts/figtree-latin-ext.woff2';
import fraunces from './fonts/fraunces-latin-ext.woff2';

/** Letters of European languages beyond Western Europe. */
const unicodeRange =
  'U+100-130, U+134-137, U+139-13E, U+141-148, U+14A-17E, U+218-21B, U+1E80-1E85, U+1E9E, U+1EF2-1EF3, ' +
  'U+20A6, U+20A9-20AB, U+20B1, U+20B4-20B5, U+20B9-20BA, U+20BD';

/**
 * Declares the faces that few pages need; a browser fetches them where it meets such a letter. Declared in the style they
 * would come before the first words of a list in which one name of twenty has one, and hold it all up.
 */
export function addLateFonts(): void {
  for (const [family, file] of [
    ['Fraunces', fraunces],
    ['Figtree', figtree],
  ] as const)
    document.fonts.add(
      new FontFace(family, `url(${file})`, { weight: '400 700', display: 'swap', unicodeRange }),
    );
}
