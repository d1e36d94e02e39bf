import { useParams } from 'react-router-dom';
import { useCreator } from '../../api/creator.resources.ts';
import { messageFor, referenceOf, words } from '../../api/messages.ts';
import { isPermanent } from '../../api/http.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { OfferingGrid } from './offering-grid.tsx';
import { ProfileHead } from './profile-head.tsx';

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
  if (creator.data) {
    return (
      <Page title={creator.data.displayName || `@${creator.data.username}`}>
        <ProfileHead creator={creator.data} />
        <OfferingGrid username={username} />
      </Page>
    );
  }
  if (!creator.error) return <ProfileSkeleton username={username} />;
  const retry = isPermanent(creator.error) ? undefined : creator.reload;
  return (
    <Problem
      title={messageFor(words.publicProfile, creator.error)}
      reference={referenceOf(creator.error)}
      onRetry={retry}
    />
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
    <Page title={`@${username}`}>
      <h1 className="sr-only">@{username}</h1>
      <LoadingText>Loading profile...</LoadingText>
      <div className="flex flex-col gap-8 sm:flex-row">
        <Skeleton className="rounded-card size-44 shrink-0" />
        <div className="grid flex-1 content-start gap-4">
          <Skeleton className="h-11 w-2/3" />
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-24 w-full" />
        </div>
      </div>
      <div className="mt-16 grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </Page>
  );
}
