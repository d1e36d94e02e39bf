import type { Download } from '@stoa/contracts';
import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import { untypedOffering } from '@stoa/contracts/facts';
import { bytesText } from '../../ui/text/bytes.ts';
import { lazyPart } from '../../browser/lazy-part.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DownloadNow } from './download-now.tsx';
import type { DownloadAddress } from './download.queries.ts';
import { FileName } from '../../ui/text/personal-words.tsx';

const DeliveredMore = lazyPart(() => import('./delivered-more.tsx'), {
  name: 'What you paid for',
  waiting: <Skeleton className="h-24 w-full" />,
});

interface DeliverablesProps {
  address: DownloadAddress;
  download: Download;
  onReplaced: () => void;
}

/** The delivered content: a text, a link and files, as far as they exist. */
export function Deliverables(props: DeliverablesProps) {
  const { address, download, onReplaced } = props;
  const { type, creator, deliveryText, deliveryUrl } = download;
  const [only, ...others] = download.files;
  const more = Boolean(deliveryText || deliveryUrl || others.length || only?.note || only?.updatedAt);
  return (
    <>
      {more && <DeliveredMore {...props} />}
      {!only && !more && (
        <>
          <p>No downloadable file is associated with this offering.</p>
          <p className="max-w-prose">
            Have you paid? Then its creator brings it to you another way.
            {creator && ' If you have not heard from them, ask with “Contact Me” on their profile.'}
          </p>
        </>
      )}
      {only && others.length === 0 && (
        <div className="grid w-full max-w-md justify-items-center gap-3">
          {only.filename && (
            <p className="text-muted max-w-full [overflow-wrap:anywhere]">
              <FileName name={only.filename} /> · {bytesText(only.size)}
            </p>
          )}
          <DownloadNow address={address} file={only} onReplaced={onReplaced}>
            Download Now ({offeringTypeLabel(type) || untypedOffering})
          </DownloadNow>
        </div>
      )}
    </>
  );
}
