import type { Download } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

/** Information for buyers: how to return, whom they paid, and how to ask the creator. */
export function Receipt({ download }: { download: Download }) {
  const { creator, files, deliveryText, deliveryUrl } = download;
  const isDelivered = Boolean(deliveryText || deliveryUrl || files.length);
  return (
    <section aria-label="Receipt" className="border-line grid w-full gap-2 border-t pt-6">
      {isDelivered && <p className="font-semibold">Keep this link: it opens your download again.</p>}
      <p className="text-muted text-sm">
        Stoa took no payment: you paid{' '}
        {creator ? <PersonalWords text={displayNameOf(creator)} /> : 'the creator'} directly.{' '}
        {creator && (
          <>
            Is something missing?{' '}
            <Link to={paths.contactCreator(creator.username)} className="text-accent font-semibold underline">
              Ask <PersonalWords text={displayNameOf(creator)} />
            </Link>
          </>
        )}
      </p>
    </section>
  );
}
