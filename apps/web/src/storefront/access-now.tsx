import type { PublicOffering } from '@stoa/contracts';
import { buttonClass } from '../ui/button.tsx';

interface AccessNowProps {
  offering: Pick<PublicOffering, 'title' | 'paymentUrl' | 'schedule'>;
  size?: 'normal' | 'small';
}

/**
 * The link to the creator's payment page, or the reason for its absence. The server sends no payment link of
 * an offering that cannot be bought.
 */
export function AccessNow({ offering: { title, paymentUrl, schedule }, size }: AccessNowProps) {
  return paymentUrl ? (
    <a
      href={paymentUrl}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${buttonClass('primary', size)} shrink-0`}
    >
      Access Now<span className="sr-only">: {title} (opens in a new tab)</span>
    </a>
  ) : (
    <p className="text-muted shrink-0 font-semibold">
      {schedule?.ended ? 'This workshop has ended.' : 'Sold out'}
    </p>
  );
}
