import { delivers, type Offering } from '@stoa/contracts';
import { isPublicState } from '@stoa/contracts/choices';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { isPermanent } from '../../api/http.ts';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { storeOffering } from '../../api/creator/my-offerings.queries.ts';
import { EditConflict, useEditConflict } from '../../forms/edit-conflict.tsx';
import { FreshLogin, useFreshLogin } from '../../forms/fresh-login.tsx';
import { useRedirectAfterSave } from '../../forms/use-redirect-after-save.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryLink } from './delivery-link.tsx';
import { OfferingEditor } from './offering-editor.tsx';
import { changesOf, checkChanges, isSavedIn, type OfferingValues, valuesOf } from './offering-form.ts';
import { besidePreview } from './offering-preview.tsx';
import { useOffering } from './offerings.queries.ts';

export default function EditOfferingPage() {
  const { offeringId = '' } = useParams();
  const offering = useOffering(offeringId);
  return (
    <Page title="Edit Offering">
      <h1 className="text-4xl">Edit Offering</h1>
      {offering.data && !isPublicState(offering.data.state) && (
        <p className="text-muted mt-2">
          Nobody else sees it.{' '}
          <Link to={previewPaths.offering(offeringId)} className="text-accent font-semibold underline">
            Preview what is saved
          </Link>
        </p>
      )}
      {offering.data ? (
        <Editor key={offeringId} offering={offering.data} />
      ) : offering.isError ? (
        <Problem error={offering.error} onRetry={() => void offering.refetch()} />
      ) : (
        <div className="mt-8 grid gap-6">
          <LoadingText>Loading offering...</LoadingText>
          <Skeleton className="h-12" />
          <Skeleton className="h-40" />
          <Skeleton className="h-12" />
        </div>
      )}
    </Page>
  );
}

function Editor({ offering }: { offering: Offering }) {
  const [initial] = useState(() => valuesOf(offering));
  // The base of the edit: the opened offering, or the version taken over from another tab.
  const base = useRef(initial);
  const { saved, markSaved } = useRedirectAfterSave(paths.dashboard);

  const { id } = offering;
  const conflict = useEditConflict(() => creatorApi.offering(id, new AbortController().signal), isSavedIn);
  const { stored } = conflict;
  const freshLogin = useFreshLogin();

  const update = async (values: OfferingValues) => {
    const send = (version: number) => creatorApi.updateOffering(id, changesOf(values), version);
    const answer = await freshLogin.noticed(conflict.save(base.current, values, send));
    await storeOffering(answer);
    // For a published offering the dashboard shows its address and the delivery link.
    const isPublished = isPublicState(answer.state) && !isPublicState(base.current.state);
    markSaved(isPublished ? { created: answer } : { saved: answer });
  };

  return (
    <>
      <OfferingEditor
        initial={initial}
        check={(values) => checkChanges(values, base.current)}
        send={update}
        words={creatorErrorMessages.offeringUpdate}
        draftKey={`offering.${id}`}
        coverTooLarge="Cover image file must be smaller than 5MB."
        submitLabel="Save Changes"
        busyLabel="Saving..."
        success={saved ? 'Offering updated successfully!' : undefined}
        conflict={(form, message) =>
          stored && (
            <EditConflict
              message={message}
              lookAt={paths.editOffering(id)}
              stored={stored}
              onTakeOver={(now) => {
                base.current = valuesOf(now);
                form.reset(valuesOf(now));
              }}
              onOverwrite={(now) => {
                base.current = valuesOf(now);
                form.sendWith({ version: now.version });
              }}
            />
          )
        }
      />
      <div className={besidePreview}>
        <FreshLogin {...freshLogin} />
        {delivers(offering) && <DeliveryLink offering={offering} />}
      </div>
    </>
  );
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const retry = isPermanent(error) ? undefined : onRetry;
  return (
    <div className="mt-8">
      <ErrorState
        title={messageFor(creatorErrorMessages.offeringLoad, error)}
        reference={referenceOf(error)}
        onRetry={retry}
      >
        <Link to={paths.dashboard} className={buttonClass('quiet')}>
          Back to Dashboard
        </Link>
      </ErrorState>
    </div>
  );
}
