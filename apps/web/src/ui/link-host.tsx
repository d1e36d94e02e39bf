import { displayHost } from '@stoa/contracts/links';
import { classNames } from './class-names.ts';

interface LinkHostProps {
  url: string;
  /** What the link is called, in its creator's words. */
  label?: string;
  className?: string;
}

/** Where a link leads, unless that is what it is called: a creator may call any link 'PayPal'. */
export function LinkHost({ url, label = '', className }: LinkHostProps) {
  const host = displayHost(url);
  if (!host || host === label.trim().toLowerCase()) return null;
  return (
    <p dir="ltr" className={classNames('text-muted mt-1 text-sm [overflow-wrap:anywhere]', className)}>
      {host}
    </p>
  );
}
