import { displayNameOf, untypedOffering } from '@stoa/contracts/facts';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { ApiError, isPermanent } from '../../api/http.ts';
import { creatorErrorMessages } from '../../api/creator-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { deliveryKeyOf, paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { bytesText } from '../../ui/bytes.ts';
import { classNames } from '../../ui/class-names.ts';
import { DownloadIcon } from '../../ui/download-icon.tsx';
import { EmptyArch, FallenColumn } from '../../ui/illustrations.tsx';
import { TryAgain } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { readDownload, useDownload } from './download.resources.ts';

const invalidLink = new ApiError('invalid_input', 'The address lacks a part');

export default function DownloadPage() {
  const { creatorId, offeringId } = useParams();
  const key = deliveryKeyOf(useLocation());
  if (!creatorId || !offeringId)
    return <Problem text={messageFor(creatorErrorMessages.download, invalidLink)} />;
  return <Download creatorId={creatorId} offeringId={offeringId} deliveryKey={key} />;
}

interface Address {
  creatorId: string;
  offeringId: string;
  deliveryKey: string | undefined;
}

function Download(address: Address) {
  const { data, error, reload } = useDownload(address);
  if (error)
    return (
      <Problem
        text={messageFor(creatorErrorMessages.download, error)}
        onRetry={isPermanent(error) ? undefined : reload}
        outlived={address.deliveryKey !== undefined && isPermanent(error)}
      />
    );
  if (!data) return <Waiting />;

  const { title, type, mediaUrl, file, keyNeeded, creator } = data;
  return (
    <Frame title={title} picture={<EmptyArch className="h-32 w-auto" />}>
      <h1 className="text-4xl">{title}</h1>
      {creator && (
        <p>
          By{' '}
          <Link to={paths.profile(creator.username)} className="text-accent font-semibold underline">
            <bdi>{displayNameOf(creator)}</bdi>
          </Link>
        </p>
      )}
      <p className="text-muted text-lg">Thank you for supporting an independent creator.</p>
      {mediaUrl ? (
        <div className="grid w-full max-w-md justify-items-center gap-3">
          {file && (
            <p className="text-muted">
              {file.filename} · {bytesText(file.size)}
            </p>
          )}
          <DownloadNow address={address} mediaUrl={mediaUrl} type={type || untypedOffering} />
        </div>
      ) : keyNeeded ? (
        <p className="max-w-prose">
          This download opens with the link that you got after paying. Ask the creator if you have lost it.
        </p>
      ) : (
        <>
          <p>No downloadable file is associated with this offering.</p>
          <p className="max-w-prose">
            Have you paid? Then its creator brings it to you another way.
            {creator && ' If you have not heard from them, ask with “Contact Me” on their profile.'}
          </p>
        </>
      )}
    </Frame>
  );
}

/** The link in the page lives for minutes and the page may be open for hours, so a click asks for a new one. */
function DownloadNow({ address, mediaUrl, type }: { address: Address; mediaUrl: string; type: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const follow = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const fresh = await readDownload(address);
      if (fresh.mediaUrl) location.assign(fresh.mediaUrl);
      else setProblem('No downloadable file is associated with this offering.');
    } catch (error) {
      console.error(error);
      setProblem(messageFor(creatorErrorMessages.downloadAgain, error));
    }
    setBusy(false);
  };

  return (
    <>
      <a
        href={mediaUrl}
        download
        aria-busy={busy}
        onClick={(event) => void follow(event)}
        className={classNames(buttonClass(), 'py-2 [&>svg]:shrink-0')}
      >
        <DownloadIcon /> Download Now ({type})
      </a>
      <p role="alert" className="text-danger font-medium empty:hidden">
        {problem}
      </p>
    </>
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

interface ProblemProps {
  text: string;
  onRetry?: (() => void) | undefined;
  /** The link has a key that opens nothing, or not any more. */
  outlived?: boolean;
}

function Problem({ text, onRetry, outlived }: ProblemProps) {
  return (
    <Frame title="An Error Occurred" picture={<FallenColumn className="h-32 w-auto" />}>
      <div role="alert" className="grid gap-3">
        <h1 className="text-4xl">An Error Occurred</h1>
        <p className="text-muted text-lg">{text}</p>
      </div>
      {outlived && (
        <>
          <p className="max-w-prose">
            Have you paid? Then your link may be incomplete, or its creator has replaced it. Ask them for the
            new one, with “Contact Me” on their profile.
          </p>
          <Link to={paths.browse} className={buttonClass('secondary')}>
            Find the Creator
          </Link>
        </>
      )}
      {onRetry && <TryAgain onRetry={onRetry} />}
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
