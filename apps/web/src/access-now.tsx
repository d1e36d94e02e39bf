import type { PublicOffering } from '@stoa/contracts';
import { buttonClass } from './ui/button.tsx';
import { LinkHost } from './ui/link-host.tsx';

interface AccessNowProps {
  offering: Pick<PublicOffering, 'title' | 'state' | 'paymentUrl'>;
  size?: 'normal' | 'small';
}

/** The way to the creator's payment page, or that there is none any more. */
export function AccessNow({ offering: { title, state, paymentUrl }, size }: AccessNowProps) {
  if (state === 'sold_out') return <p className="text-muted shrink-0 font-semibold">Sold out</p>;
  return (
    <a
      href={paymentUrl}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${buttonClass('primary', size)} shrink-0`}
    >
      Access Now<span className="sr-only">: {title} (opens in a new tab)</span>
    </a>
  );
}

/** The host that it leads to. */
export function AccessHost({
  offering: { state, paymentUrl },
  className,
}: AccessNowProps & { className?: string }) {
  return state === 'sold_out' ? null : <LinkHost url={paymentUrl} className={className} />;
}
