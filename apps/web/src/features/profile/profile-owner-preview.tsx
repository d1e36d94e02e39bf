import type { Creator } from '@stoa/contracts';
import { isPublicOffering } from '@stoa/contracts/choices';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { Link, Navigate } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { creatorAsVisitorsSee, offeringAsVisitorsSee } from '../../storefront/as-visitors-see.ts';
import { useMe } from '../../auth/me.queries.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { OwnerBar } from './owner-bar.tsx';
import { ProfileView } from './profile-page.tsx';

/**
 * A private profile as visitors will see it. It uses the owner's own reads, so it is neither cached nor
 * counted.
 */
export default function ProfileOwnerPreview() {
  const me = useMe();
  const list = useMyOfferings();
  const error = me.error ?? list.error;
  if (me.data && list.data) {
    if (me.data.isPublic) return <Navigate to={paths.profile(me.data.username)} replace />;
    const items = list.data.items.filter(isPublicOffering).map(offeringAsVisitorsSee);
    return (
      <>
        <OwnerBar reason={reasonFor(me.data)}>
          <Link to={paths.editProfile} className={buttonClass('secondary', 'small')}>
            {me.data.published ? 'Edit Profile' : 'Edit and Publish'}
          </Link>
        </OwnerBar>
        <ProfileView
          creator={creatorAsVisitorsSee(me.data)}
          preview={{ items, pinnedId: list.data.pinnedId, addressOf: ({ id }) => previewPaths.offering(id) }}
        />
      </>
    );
  }
  return (
    <Page title="Preview">
      {error ? (
        <ErrorState
          title={messageFor(creatorErrorMessages.ownProfile, error)}
          titleLevel="h1"
          reference={referenceOf(error)}
          onRetry={() => void Promise.all([me.refetch(), list.refetch()])}
        />
      ) : (
        <>
          <LoadingText>Loading your profile...</LoadingText>
          <Skeleton className="h-96" />
        </>
      )}
    </Page>
  );
}

function reasonFor({ published, takenDown }: Creator): string {
  if (takenDown) return 'Stoa has hidden your profile from everybody else.';
  if (!published) return 'Your profile becomes public when you save it.';
  return 'Your profile is not public yet: your dashboard says what is missing.';
}
