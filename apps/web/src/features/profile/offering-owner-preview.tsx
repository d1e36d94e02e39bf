import type { Creator, Offering } from '@stoa/contracts';
import {
  defaultOfferingType,
  isPublicOffering,
  isPublicState,
  offeringStateLabels,
} from '@stoa/contracts/choices';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import {
  invalidateOfferings,
  storeOffering,
  useMyOfferings,
} from '../../api/creator/my-offerings.queries.ts';
import { offeringAsVisitorsSee } from '../../storefront/as-visitors-see.ts';
import { useMe } from '../../auth/me.queries.ts';
import { FreshLogin, useFreshLogin } from '../../forms/fresh-login.tsx';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ErrorState, Message } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { OfferingArticle } from './offering-page.tsx';
import { OwnerBar } from './owner-bar.tsx';

/**
 * An unpublished offering as its page will show it. It uses the owner's own reads, so it is neither cached
 * nor counted.
 */
export default function OfferingOwnerPreview() {
  const { offeringId } = useParams();
  const me = useMe();
  const list = useMyOfferings();
  const offering = list.data?.items.find(({ id }) => id === offeringId);
  if (me.data && offering) return <Shown creator={me.data} offering={offering} />;
  const error = me.error ?? list.error;
  return (
    <Page title="Preview">
      {(error ?? list.data) ? (
        <ErrorState
          title={error ? messageFor(creatorErrorMessages.offeringLoad, error) : 'Offering not found.'}
          titleLevel="h1"
          reference={error ? referenceOf(error) : undefined}
          onRetry={error ? () => void Promise.all([me.refetch(), list.refetch()]) : undefined}
        >
          <Link to={paths.dashboard} className={buttonClass('quiet')}>
            Back to Dashboard
          </Link>
        </ErrorState>
      ) : (
        <>
          <LoadingText>Loading offering...</LoadingText>
          <Skeleton className="h-96" />
        </>
      )}
    </Page>
  );
}

function Shown({ creator, offering }: { creator: Creator; offering: Offering }) {
  const { id, title, slug, state, takenDown } = offering;
  const publish = usePublish(offering);
  // During publishing the preview stays, since the dashboard with the links comes next.
  if (isPublicOffering(offering) && creator.isPublic && !publish.busy)
    return <Navigate to={paths.offering(creator.username, slug)} replace />;
  const canPublish = !isPublicState(state) && !takenDown;
  return (
    <>
      <OwnerBar reason={reasonFor(offering)}>
        <Link to={paths.editOffering(id)} className={buttonClass('secondary', 'small')}>
          Edit
        </Link>
        {canPublish && offering.coverImage && (
          <Button size="small" disabled={publish.busy} onClick={publish.start}>
            {publish.busy ? 'Publishing...' : 'Publish'}
          </Button>
        )}
        {isPublicOffering(offering) && (
          <Link to={previewPaths.profile} className={buttonClass('secondary', 'small')}>
            Preview My Profile
          </Link>
        )}
      </OwnerBar>
      <Page title={`Preview: ${title}`} palette={creator.palette}>
        <div role="alert" className="mb-6 empty:absolute">
          {publish.failure && <Message kind="failure">{publish.failure}</Message>}
        </div>
        <FreshLogin {...publish.freshLogin} />
        <OfferingArticle offering={offeringAsVisitorsSee(offering)} />
      </Page>
    </>
  );
}

function reasonFor({ state, takenDown, coverImage }: Offering): string {
  if (takenDown) return 'Stoa has hidden it from everybody else.';
  if (isPublicState(state)) return 'Visitors see it as soon as your profile is public.';
  if (!coverImage) return 'Add a cover image to publish it.';
  return `It is not published: its state is “${offeringStateLabels[state]}”.`;
}

/** Publishes the offering. Fields that are not sent keep their values. */
function usePublish(offering: Offering) {
  const navigate = useNavigate();
  const freshLogin = useFreshLogin();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const start = async () => {
    const { id, version, title, description, price, type, paymentUrl, productUrl } = offering;
    setBusy(true);
    setFailure(undefined);
    const form = {
      ...{ title, description, price, paymentUrl, productUrl },
      ...{ type: type || defaultOfferingType, state: 'published' as const },
    };
    try {
      const created = await freshLogin.noticed(creatorApi.updateOffering(id, form, version));
      await storeOffering(created);
      // The dashboard shows its address and the links to copy.
      await navigate(paths.dashboard, { state: { created } });
    } catch (error) {
      console.error(error);
      setFailure(messageFor(creatorErrorMessages.offeringUpdate, error));
      setBusy(false);
      void invalidateOfferings();
    }
  };
  return { start: () => void start(), busy, failure, freshLogin };
}
