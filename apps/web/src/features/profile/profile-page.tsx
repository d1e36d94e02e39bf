import type { PublicCreator } from '@stoa/contracts';
import { Link, useParams } from 'react-router-dom';
import { useCreator } from '../../api/public/creator.queries.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { isPermanent } from '../../api/http.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { OfferingCards, type OfferingCardsProps, OfferingGrid } from './offering-grid.tsx';
import { HeaderPicture, ProfileFoot, ProfileHead } from './profile-head.tsx';

/** On a wide screen the profile is beside the offerings. */
const columns =
  'grid gap-8 sm:gap-12 lg:grid-cols-[19rem_1fr] lg:grid-rows-[auto_auto_1fr] lg:gap-x-14 lg:gap-y-8';

export default function ProfilePage() {
  const { username } = useParams();
  return username ? (
    <Profile key={username} username={username} />
  ) : (
    <Problem title="No creator specified." />
  );
}

function Profile({ username }: { username: string }) {
  const creator = useCreator(username);
  if (creator.data) return <ProfileView creator={creator.data} />;
  if (!creator.error) return <ProfileSkeleton username={username} />;
  const retry = isPermanent(creator.error) ? undefined : creator.reload;
  return (
    <Problem
      title={messageFor(errorMessages.publicProfile, creator.error)}
      reference={referenceOf(creator.error)}
      onRetry={retry}
    />
  );
}

interface ProfileViewProps {
  creator: PublicCreator;
  /** Set in the owner's preview. */
  preview?: OfferingCardsProps;
}

export function ProfileView({ creator, preview }: ProfileViewProps) {
  const { username, displayName, palette, headerImage, layout } = creator;
  return (
    <Page title={displayName || `@${username}`} palette={palette} dense>
      <HeaderPicture picture={headerImage} />
      <div className={`under-header ${columns}`}>
        <ProfileHead creator={creator} preview={preview} />
        <OfferingGrid username={username} layout={layout}>
          {preview && <OfferingCards {...preview} />}
        </OfferingGrid>
        <ProfileFoot creator={creator} preview={preview} />
      </div>
    </Page>
  );
}

interface ProblemProps {
  title: string;
  reference?: string | undefined;
  onRetry?: () => void;
}

function Problem({ title, ...rest }: ProblemProps) {
  return (
    <Page title={title} width="text">
      <ErrorState {...rest} title={title} titleLevel="h1">
        <Link to={paths.browse} className={buttonClass('quiet')}>
          Browse Creators
        </Link>
      </ErrorState>
    </Page>
  );
}

function ProfileSkeleton({ username }: { username: string }) {
  return (
    <Page title={`@${username}`} dense>
      <h1 className="sr-only">@{username}</h1>
      <LoadingText>Loading profile...</LoadingText>
      <div className={columns}>
        <div className="grid grid-cols-[6rem_1fr] content-start gap-4 lg:grid-cols-1">
          <Skeleton className="rounded-b-card aspect-square rounded-t-[50%] lg:w-64" />
          <Skeleton className="h-24" />
        </div>
        <div className="grid gap-6 sm:grid-cols-2 lg:row-span-3">
          <Skeleton className="h-44 sm:h-96" />
          <Skeleton className="h-44 sm:h-96" />
        </div>
      </div>
    </Page>
  );
}
