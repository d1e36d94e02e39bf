import { type ReactNode, useRef } from 'react';
import { Button } from '../ui/button.tsx';

const insecure = /^\s*http:\/\//i;

interface InsecureLinkProps {
  url: string;
  /** The name of the link within a sentence. */
  label: string;
  onFix: (fixed: string) => void;
  /** The field for the link. */
  children: ReactNode;
}

/** Warns about a link without encryption, and offers its `https` form. */
export function InsecureLink({ url, label, onFix, children }: InsecureLinkProps) {
  const place = useRef<HTMLDivElement>(null);
  const isInsecure = insecure.test(url);
  const fix = () => {
    onFix(url.replace(insecure, 'https://'));
    // The button disappears with the problem, so the focus moves to the field.
    place.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={place} className="grid gap-1.5">
      {children}
      <div className={isInsecure ? 'flex flex-wrap items-center gap-x-3 gap-y-1' : 'absolute'}>
        <p role="status" className="text-muted text-sm">
          {isInsecure &&
            'This link is not encrypted. If the page has an address with https://, use that one.'}
        </p>
        {isInsecure && (
          <Button look="secondary" size="small" aria-label={`Use https:// for ${label}`} onClick={fix}>
            Use https://
          </Button>
        )}
      </div>
    </div>
  );
}
