import type { PublicOffering } from '@stoa/contracts';
import { buttonClass } from '../../ui/button.tsx';
import { LinkHost } from './link-host.tsx';

interface AccessNowProps {
  offering: Pick<PublicOffering, 'title' | 'state' | 'paymentUrl' | 'schedule'>;
  size?: 'normal' | 'small';
}

/** The way to the creator's payment page, or that there is none any more. */
export function AccessNow({ offering, size }: AccessNowProps) {
  const { title, paymentUrl } = offering;
  const closed = closedText(offering);
  if (closed) return <p className="text-muted shrink-0 font-semibold">{closed}</p>;
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
export function AccessHost({ offering, className }: AccessNowProps & { className?: string }) {
  return closedText(offering) ? null : <LinkHost url={offering.paymentUrl} className={className} />;
}

/** Why nothing can be bought. */
function closedText({ state, schedule }: AccessNowProps['offering']): string | undefined {
  if (schedule?.ended) return 'This workshop has ended.';
  return state === 'sold_out' ? 'Sold out' : undefined;
}
