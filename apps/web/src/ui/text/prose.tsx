import type { ReactNode } from 'react';

/** Long text: headings, paragraphs, lists and links in a readable width. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className="prose">{children}</div>;
}
