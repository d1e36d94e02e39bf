import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import { displayNameOf } from '@stoa/contracts/facts';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { AnyCreator } from '../../storefront/any-creator.tsx';
import { ApiError, isPermanent } from '../../api/http.ts';
import { downloadErrorMessages } from '../../api/public/download-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { Page } from '../../layout/page.tsx';
import { deliveryKeyOf, paths } from '../../navigation/paths.ts';
import { pictureSizes } from '../../storefront/picture-sizes.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyArch, FallenColumn } from '../../ui/pictures/illustrations.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { TryAgain } from '../../ui/notice.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Deliverables } from './deliverables.tsx';
import { type DownloadAddress, useDownload } from './download.queries.ts';
import { ownWords } from '../../ui/text/own-words.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

// Secondary content, loaded after the delivery is on screen.
const AboutPurchase = lazyOptional(async () => (await import('./about-purchase.tsx')).AboutPurchase);
const Receipt = lazyOptional(async () => (await import('./receipt.tsx')).Receipt);
const CalendarLink = lazyOptional(async () => (await import('./calendar-link.tsx')).CalendarLink);
// Offers all creators if this code fails to load.
const WhomToAsk = lazyOptional(() =>
  import('../../storefront/whom-to-ask.tsx').then(
    ({ WhomToAsk: asked }) => asked,
    (error: unknown) => {
      console.warn(error);
      return AnyCreator;
    },
  ),
);
const MoreFrom = lazyOptional(async () => (await import('../../storefront/more-from.tsx')).MoreFrom);

const linkReplaced =
  'This link no longer works. It may be used up, or its creator has replaced it: ask for a new one.';

const invalidLink = new ApiError('invalid_input', 'The address lacks a part');

export default function DownloadPage() {
  const { creatorId, offeringId } = useParams();
  const key = deliveryKeyOf(useLocation());
  if (!creatorId || !offeringId) return <Problem text={messageFor(downloadErrorMessages, invalidLink)} />;
  return <Download creatorId={creatorId} offeringId={offeringId} deliveryKey={key} />;
}

function Download(address: DownloadAddress) {
  const { data, error, reload } = useDownload(address);
  const [isReplaced, setReplaced] = useState(false);
  if (isReplaced) return <Problem text={linkReplaced} lost={address} />;
  // A displayed download stays during temporary failures.
  if (error && (!data || isPermanent(error)))
    return (
      <Problem
        text={messageFor(downloadErrorMessages, error)}
        onRetry={isPermanent(error) ? undefined : reload}
        lost={isPermanent(error) ? address : undefined}
      />
    );
  if (!data) return <Waiting />;

  const { title, type, keyNeeded, creator, coverImage, schedule } = data;
  const name = creator && displayNameOf(creator);
  return (
    <Frame
      title={title}
      picture={
        coverImage ? (
          <div className="bg-sunk rounded-card border-line aspect-3/2 w-full max-w-md overflow-hidden border">
            <Picture picture={coverImage} alt="" sizes={pictureSizes.offeringPage} eager />
          </div>
        ) : (
          <EmptyArch className="h-32 w-auto" />
        )
      }
      below={
        creator && name && <MoreFrom username={creator.username} name={name} shown={address.offeringId} />
      }
    >
      <div className="grid max-w-full justify-items-center gap-3">
        <h1 {...ownWords(title)} className="max-w-full text-4xl [overflow-wrap:anywhere]">
          {title}
        </h1>
        {type && <Tag>{offeringTypeLabel(type)}</Tag>}
        {creator && (
          <p>
            By{' '}
            <Link to={paths.profile(creator.username)} className="text-accent font-semibold underline">
              <PersonalWords text={displayNameOf(creator)} />
            </Link>
          </p>
        )}
      </div>
      {schedule && (
        <p className="text-lg font-bold">
          {schedule.text}
          <br />
          <visitor-time start={schedule.startsAt} end={schedule.endsAt} zone={schedule.timeZone} />
        </p>
      )}
      <p className="text-muted text-lg">Thank you for supporting an independent creator.</p>
      {keyNeeded ? (
        <p className="max-w-prose">
          This download opens with the link that you got after paying. Ask the creator if you have lost it.
        </p>
      ) : (
        <Deliverables
          address={address}
          download={data}
          onReplaced={() => {
            setReplaced(true);
            document.getElementById('main')?.focus();
          }}
        />
      )}
      {type === 'Workshop' && creator && !keyNeeded && (
        <CalendarLink username={creator.username} offeringId={address.offeringId} />
      )}
      <AboutPurchase download={data} />
      {address.deliveryKey !== undefined && <Receipt download={data} />}
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

interface ProblemProps {
  text: string;
  onRetry?: (() => void) | undefined;
  /** The offering of a key that is invalid or revoked. */
  lost?: DownloadAddress | undefined;
}

function Problem({ text, onRetry, lost }: ProblemProps) {
  return (
    <Frame title="An Error Occurred" picture={<FallenColumn className="h-32 w-auto" />}>
      <div role="alert" className="grid gap-3">
        <h1 className="text-4xl">An Error Occurred</h1>
        <p className="text-muted text-lg">{text}</p>
      </div>
      {lost && (
        <>
          {text !== linkReplaced && (
            <p className="max-w-prose">
              Have you paid? Then your link may be incomplete, used up or too old, or its creator has closed
              or replaced it. Ask them for a new one, with “Contact Me” on their profile.
            </p>
          )}
          <WhomToAsk creatorId={lost.creatorId} offeringId={lost.offeringId} />
        </>
      )}
      {onRetry && <TryAgain onRetry={onRetry} />}
    </Frame>
  );
}

interface FrameProps {
  title: string;
  picture: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}

function Frame({ title, picture, children, below }: FrameProps) {
  return (
    <Page title={title} width="text">
      <div className="bg-surface border-line shadow-card rounded-card grid justify-items-center gap-6 border px-6 py-14 text-center">
        {picture}
        {children}
        <Link to={paths.home} className={buttonClass('quiet')}>
          Back to Home
        </Link>
      </div>
      {below}
    </Page>
  );
}
