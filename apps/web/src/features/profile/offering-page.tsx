import type { PublicOffering } from '@stoa/contracts';
import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import { displayNameOf } from '@stoa/contracts/facts';
import { calendarPath } from '@stoa/contracts/pages';
import { Link, Navigate, useParams } from 'react-router-dom';
import { AccessNow } from '../../storefront/access-now.tsx';
import { useCreator, useCreatorOffering } from '../../api/public/creator.queries.ts';
import { isPermanent } from '../../api/http.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { offeringErrorMessages } from '../../api/public/offering-messages.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { pictureSizes } from '../../storefront/picture-sizes.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CoverPlaceholder } from '../../ui/pictures/cover-placeholder.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { LinkHost } from '../../ui/text/link-host.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/tag.tsx';
import { WorkshopFacts } from '../../storefront/workshop-facts.tsx';
import { OwnerLink } from './owner-link.tsx';
import { ReportLink } from './report-link.tsx';
import { ShareButton } from './share-button.tsx';
import { ownWords } from '../../ui/text/own-words.ts';

// Below the main content, which must not wait for this code. Until then a text shows as it was written.
const FormattedText = lazyOptional(
  async () => (await import('../../ui/text/formatted-text.tsx')).FormattedText,
  ({ text }) => (
    <p {...ownWords(text)} className="my-3 whitespace-pre-line">
      {text}
    </p>
  ),
);
const MoreFrom = lazyOptional(async () => (await import('../../storefront/more-from.tsx')).MoreFrom);

interface Address {
  username: string;
  slug: string;
}

export default function OfferingPage() {
  const { username = '', slug = '' } = useParams();
  return <Shown key={`${username} ${slug}`} username={username} slug={slug} />;
}

function Shown({ username, slug }: Address) {
  const { data, error, reload } = useCreatorOffering(username, slug);
  if (data && data.slug !== slug) return <Navigate to={paths.offering(username, data.slug)} replace />;
  if (data) return <Offering username={username} offering={data} />;
  if (!error) return <Waiting username={username} />;
  const title = messageFor(offeringErrorMessages, error);
  return (
    <Page title={title} width="text">
      <ErrorState
        title={title}
        titleLevel="h1"
        reference={referenceOf(error)}
        onRetry={isPermanent(error) ? undefined : reload}
      >
        <Link to={paths.profile(username)} className={buttonClass('quiet')}>
          Back to @{username}
        </Link>
      </ErrorState>
    </Page>
  );
}

function Offering({ username, offering }: { username: string; offering: PublicOffering }) {
  const { title } = offering;
  const creator = useCreator(username);
  return (
    <Page title={title} palette={creator.data?.palette}>
      <Breadcrumb username={username} title={title} />
      <OfferingArticle offering={offering} username={username} />
      <MoreFrom
        username={username}
        name={creator.data ? displayNameOf(creator.data) : `@${username}`}
        shown={offering.id}
      />
      <p className="mt-10">
        <ReportLink />
      </p>
    </Page>
  );
}

/** Without a `username` it is the owner's preview, which has no address to share. */
export function OfferingArticle({ offering, username }: { offering: PublicOffering; username?: string }) {
  const { title, description, price, type, coverImage } = offering;
  return (
    <article className="mt-4 grid items-start gap-6 sm:gap-10 lg:grid-cols-[3fr_2fr]">
      <div className="bg-sunk rounded-card border-line shadow-card aspect-3/2 overflow-hidden border">
        {coverImage ? (
          <Picture picture={coverImage} alt="" sizes={pictureSizes.offeringPage} eager />
        ) : (
          <CoverPlaceholder />
        )}
      </div>
      <div className="min-w-0">
        <h1 {...ownWords(title, description)} className="text-4xl [overflow-wrap:anywhere] sm:text-5xl">
          {title}
        </h1>
        {type && (
          <p className="mt-3">
            <Tag>{offeringTypeLabel(type)}</Tag>
          </p>
        )}
        <p {...ownWords(price)} className="mt-4 font-serif text-2xl font-semibold [overflow-wrap:anywhere]">
          {price}
        </p>
        <WorkshopFacts offering={offering} />
        {username && offering.schedule && !offering.schedule.ended && (
          <a
            href={calendarPath(username, offering.slug)}
            className={`${buttonClass('quiet', 'small')} -ml-4`}
          >
            Add to calendar
          </a>
        )}
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <AccessNow offering={offering} />
          {username && (
            <>
              <ShareButton name={title} what="offering" />
              <OwnerLink owner={offering.creatorId} to={paths.editOffering(offering.id)} label="Edit" />
            </>
          )}
        </div>
        <LinkHost url={offering.paymentUrl} />
      </div>
      {description && (
        <div className="max-w-prose [overflow-wrap:anywhere] lg:col-span-2">
          <FormattedText text={description} />
        </div>
      )}
    </article>
  );
}

function Breadcrumb({ username, title }: { username: string; title: string }) {
  const { data } = useCreator(username);
  return (
    <nav aria-label="Breadcrumb">
      <ol className="text-muted flex min-w-0 items-center gap-2">
        <li className="max-w-[60%] min-w-0 shrink-0">
          <Link
            to={paths.profile(username)}
            className="hover:text-accent flex min-h-11 items-center font-semibold"
          >
            <bdi lang={data && ownWords(data.displayName, data.bio).lang} className="truncate">
              {data ? displayNameOf(data) : `@${username}`}
            </bdi>
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li aria-current="page" className="min-w-0 truncate">
          <bdi lang={ownWords(title).lang}>{title}</bdi>
        </li>
      </ol>
    </nav>
  );
}

function Waiting({ username }: { username: string }) {
  const creator = useCreator(username);
  return (
    <Page title={`@${username}`} palette={creator.data?.palette}>
      <h1 className="sr-only">An offering of @{username}</h1>
      <LoadingText>Loading offering...</LoadingText>
      <div className="mt-4 grid gap-6 sm:gap-10 lg:grid-cols-[3fr_2fr]">
        <Skeleton className="rounded-card aspect-3/2" />
        <div className="grid content-start gap-4">
          <Skeleton className="h-11 w-2/3" />
          <Skeleton className="h-8 w-24" />
          <Skeleton className="h-12 w-44 rounded-full" />
        </div>
      </div>
    </Page>
  );
}
