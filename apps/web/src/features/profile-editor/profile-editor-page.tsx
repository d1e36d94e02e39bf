import type { Creator } from '@stoa/contracts';
import { useState } from 'react';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useStoredMe } from '../../auth/me.queries.ts';
import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import { paths } from '../../navigation/paths.ts';
import { ErrorState } from '../../ui/notice.tsx';
import { AddressText } from '../../ui/text/address-text.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ProfileEditor } from './profile-editor.tsx';

export default function ProfileEditorPage() {
  const me = useStoredMe();
  if (me.data) return <Loaded creator={me.data} />;
  return (
    <Page title="Your Profile" width="text">
      {me.isError ? (
        <ErrorState
          title={messageFor(creatorErrorMessages.ownProfile, me.error)}
          reference={referenceOf(me.error)}
          titleLevel="h1"
          onRetry={() => void me.refetch()}
        />
      ) : (
        <div className="grid gap-6">
          <LoadingText>Loading your profile...</LoadingText>
          <Skeleton className="h-12 w-2/3" />
          <Skeleton className="h-36" />
          <Skeleton className="h-12" />
          <Skeleton className="h-40" />
        </div>
      )}
    </Page>
  );
}

function Loaded({ creator }: { creator: Creator }) {
  // The title must not change while the creator types or after a save.
  const [title] = useState(creator.displayName ? 'Edit Your Profile' : 'Create Your Profile');
  const [isNew] = useState(!creator.published);
  return (
    <Page title={title}>
      <h1 className="text-4xl">{title}</h1>
      <p className="text-muted mt-2">
        {creator.published
          ? 'Everything here is public, on your own page.'
          : 'Welcome! This becomes your own page. Nobody but you sees it until you save it.'}
      </p>
      {!creator.published && (
        <p className="mt-2">
          Its address is{' '}
          <strong className="[overflow-wrap:anywhere]">
            <AddressText text={location.host + paths.profile(creator.username)} />
          </strong>
          , and stays.
        </p>
      )}
      {isNew && <FirstSteps username={creator.username} />}
      <ProfileEditor creator={creator} />
      {!isNew && <RoomTabs />}
    </Page>
  );
}
