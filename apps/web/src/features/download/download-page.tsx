import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../api/http.ts';
import { messageFor } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/editor-icons.tsx';
import { EmptyArch, FallenColumn } from '../../ui/illustrations.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { useDownload } from './download.queries.ts';

const invalidLink = new ApiError('invalid_input', 'The address lacks a part');

export default function DownloadPage() {
  const { creatorId, offeringId } = useParams();
  if (!creatorId || !offeringId) return <Problem text={messageFor('download', invalidLink)} />;
  return <Download creatorId={creatorId} offeringId={offeringId} />;
}

function Download({ creatorId, offeringId }: { creatorId: string; offeringId: string }) {
  const download = useDownload(creatorId, offeringId);
  if (download.isPending) return <Waiting />;
  if (download.isError) {
    return <Problem text={messageFor('download', download.error)} onRetry={() => void download.refetch()} />;
  }
  if (!download.data) return <Problem text="No offering data found." />;

  const { title, type, mediaUrl } = download.data;
  return (
    <Frame title={title} picture={<EmptyArch className="h-32 w-auto" />}>
      <h1 className="text-4xl">{title}</h1>
      <p className="text-muted text-lg">Thank you for supporting an independent creator.</p>
      {mediaUrl ? (
        <a href={mediaUrl} download className={buttonClass()}>
          <DownloadIcon /> Download Now ({type})
        </a>
      ) : (
        <p>No downloadable file is associated with this offering.</p>
      )}
    </Frame>
  );
}

function Waiting() {
  return (
    <Page title="Download" width="text">
      <div className="grid justify-items-center gap-5 py-10">
        <LoadingText>Preparing your download...</LoadingText>
        <Skeleton className="h-32 w-44" />
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-12 w-56 rounded-full" />
      </div>
    </Page>
  );
}

function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <Frame title="An Error Occurred" picture={<FallenColumn className="h-32 w-auto" />}>
      <div role="alert" className="grid gap-3">
        <h1 className="text-4xl">An Error Occurred</h1>
        <p className="text-muted text-lg">{text}</p>
      </div>
      {onRetry && (
        <button type="button" onClick={onRetry} className={buttonClass('secondary')}>
          Try again
        </button>
      )}
    </Frame>
  );
}

function Frame({ title, picture, children }: { title: string; picture: ReactNode; children: ReactNode }) {
  return (
    <Page title={title} width="text">
      <div className="bg-surface border-line shadow-card rounded-card grid justify-items-center gap-6 border px-6 py-14 text-center">
        {picture}
        {children}
        <Link to={paths.home} className={buttonClass('quiet')}>
          Back to Home
        </Link>
      </div>
    </Page>
  );
}
