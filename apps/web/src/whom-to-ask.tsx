import type { CreatorName } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { AnyCreator } from './any-creator.tsx';
import { request } from './api/request.ts';
import { useResource } from './api/resource.ts';
import { Link } from './link.tsx';
import { paths } from './paths.ts';
import { buttonClass } from './ui/button.tsx';
import { Skeleton } from './ui/skeleton.tsx';

interface WhomToAskProps {
  /** As in the address, which may lack either. */
  creatorId: string | undefined;
  offeringId: string | undefined;
}

/** The way to the creator of a download that does not open; to all creators where it cannot be said whose it is. */
export function WhomToAsk({ creatorId, offeringId }: WhomToAskProps) {
  return creatorId && offeringId ? <Seller creatorId={creatorId} offeringId={offeringId} /> : <AnyCreator />;
}

function Seller(params: { creatorId: string; offeringId: string }) {
  const { data, error } = useResource<CreatorName>(
    `seller ${params.creatorId} ${params.offeringId}`,
    (signal) => request('get', '/api/downloads/{creatorId}/{offeringId}/seller', { params, signal }),
  );
  if (error && !data) return <AnyCreator />;
  if (!data) return <Skeleton className="h-12 w-56 rounded-full" />;
  const name = <bdi>{displayNameOf(data)}</bdi>;
  return (
    <>
      <p className="w-full">
        It is an offering of{' '}
        <Link to={paths.profile(data.username)} className="text-accent font-semibold underline">
          {name}
        </Link>
        .
      </p>
      <Link to={paths.contactCreator(data.username)} className={buttonClass('secondary')}>
        <span>Ask {name}</span>
      </Link>
    </>
  );
}
