import { type ReactNode, useRef } from 'react';
import { Button } from '../ui/button.tsx';

const insecure = /^\s*http:\/\//i;

interface InsecureLinkProps {
  url: string;
  /** What the link is called in a sentence. */
  label: string;
  onFix: (fixed: string) => void;
  /** The field that the link is typed in. */
  children: ReactNode;
}

/** Says of a link that it is typed without encryption, and offers the same with it. */
export function InsecureLink({ url, label, onFix, children }: InsecureLinkProps) {
  const place = useRef<HTMLDivElement>(null);
  const isInsecure = insecure.test(url);
  const fix = () => {
    onFix(url.replace(insecure, 'https://'));
    // The button is gone with what it mends.
    place.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={place} className="grid gap-1.5">
      {children}
      {isInsecure && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p role="status" className="text-muted text-sm">
            This link is not encrypted. If the page has an address with https://, use that one.
          </p>
          <Button look="secondary" size="small" aria-label={`Use https:// for ${label}`} onClick={fix}>
            Use https://
          </Button>
        </div>
      )}
    </div>
  );
}
