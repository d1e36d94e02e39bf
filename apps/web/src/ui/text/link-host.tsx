import { displayHost } from '@stoa/contracts/links';
import { classNames } from '../class-names.ts';

interface LinkHostProps {
  url: string;
  /** The link's label, written by the creator. */
  label?: string;
  className?: string;
}

/** The host of a link, unless the label is the host. Creators may call any link 'PayPal'. */
export function LinkHost({ url, label = '', className }: LinkHostProps) {
  const host = displayHost(url);
  if (!host || host === label.trim().toLowerCase()) return null;
  return (
    <p dir="ltr" className={classNames('text-muted mt-1 text-sm [overflow-wrap:anywhere]', className)}>
      {host}
    </p>
  );
}
