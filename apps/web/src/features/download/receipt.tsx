import type { Download } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { filesOf } from './download.resources.ts';

/** For who has paid: how to come back, who has the money, and whom to ask. */
export function Receipt({ download }: { download: Download }) {
  const { creator, deliveryText, deliveryUrl } = download;
  const isDelivered = Boolean(deliveryText || deliveryUrl || filesOf(download).length);
  return (
    <section aria-label="Receipt" className="border-line grid w-full gap-2 border-t pt-6">
      {isDelivered && <p className="font-semibold">Keep this link: it opens your download again.</p>}
      <p className="text-muted text-sm">
        Stoa took no payment: you paid {creator ? <bdi>{displayNameOf(creator)}</bdi> : 'the creator'}{' '}
        directly.{' '}
        {creator && (
          <>
            Is something missing?{' '}
            <Link to={paths.contactCreator(creator.username)} className="text-accent font-semibold underline">
              Ask <bdi>{displayNameOf(creator)}</bdi>
            </Link>
          </>
        )}
      </p>
    </section>
  );
}
