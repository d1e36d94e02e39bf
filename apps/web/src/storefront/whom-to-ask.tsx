import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from 'react-router-dom';
import { AnyCreator } from './any-creator.tsx';
import { publicQuery, useRead } from '../api/public/public.queries.ts';
import { paths } from '../navigation/paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { PersonalWords } from '../ui/text/personal-words.tsx';

interface WhomToAskProps {
  /** From the address, which may lack either. */
  creatorId: string | undefined;
  offeringId: string | undefined;
}

/** A link to the seller of a download that does not open, or to all creators if the seller is unknown. */
export function WhomToAsk({ creatorId, offeringId }: WhomToAskProps) {
  return creatorId && offeringId ? <Seller creatorId={creatorId} offeringId={offeringId} /> : <AnyCreator />;
}

function Seller(params: { creatorId: string; offeringId: string }) {
  const { data, error } = useRead(publicQuery('/api/downloads/{creatorId}/{offeringId}/seller', { params }));
  if (error && !data) return <AnyCreator />;
  if (!data) return <Skeleton className="h-12 w-56 rounded-full" />;
  const name = <PersonalWords text={displayNameOf(data)} />;
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
