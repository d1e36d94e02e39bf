import { useEffect } from 'react';

/**
 * What the dialogs' scroll lock asks of react-style-singleton, in its place: that one writes style elements, which the
 * site's content security policy refuses. A sheet that scripts adopt needs no leave.
 */
export function styleSingleton() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;

  function add(styles: string): () => void {
    users += 1;
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets.push(sheet);
    }
    return () => {
      users -= 1;
      if (users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      sheet = undefined;
    };
  }

  return function AdoptedStyle({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    useEffect(() => add(styles), [styles, dynamic]);
    return null;
  };
}
