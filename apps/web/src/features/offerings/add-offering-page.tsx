import type { Offering } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import { storeOffering, useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { useSession } from '../../auth/session.ts';
import { FreshLogin, useFreshLogin } from '../../forms/fresh-login.tsx';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { SetupSteps } from '../../layout/setup-steps.tsx';
import { OfferingEditor } from './offering-editor.tsx';
import {
  changesOf,
  checkNew,
  emptyOffering,
  matchesForm,
  newFormOf,
  type OfferingValues,
} from './offering-form.ts';

export default function AddOfferingPage() {
  const navigate = useNavigate();
  const session = useSession();
  const [initial] = useState(emptyOffering);
  const anotherId = useRef<string>(undefined);
  const created = useRef<Offering>(undefined);
  const [done, setDone] = useState(false);
  const freshLogin = useFreshLogin();
  const isFirst = useMyOfferings().data?.items.length === 0;

  useEffect(() => {
    // Runs after the form's own effects: until then its leave guard still asks about unsaved changes.
    if (done) void navigate(paths.dashboard, { state: { created: created.current } });
  }, [done, navigate]);

  const create = async (values: OfferingValues) => {
    const form = newFormOf({ ...values, id: anotherId.current ?? values.id });
    let offering = await freshLogin.noticed(creatorApi.createOffering(form)).catch((error: unknown) => {
      // A lost attempt created this id, and it was deleted since. The next attempt needs a new id.
      if (error instanceof ApiError && error.reason === 'conflict') anotherId.current = crypto.randomUUID();
      throw error;
    });
    if (!matchesForm(offering, form))
      offering = await freshLogin.noticed(
        creatorApi.updateOffering(offering.id, changesOf(values), offering.version),
      );
    created.current = offering;
    await storeOffering(offering);
  };

  return (
    <Page title="Add New Offering">
      <h1 className="text-4xl">Add New Offering</h1>
      <p className="text-muted mt-2">Something people can buy from you, described in your own words.</p>
      {isFirst && (
        <div className="mt-6 max-w-3xl">
          <SetupSteps current={3} />
        </div>
      )}
      <OfferingEditor
        initial={initial}
        check={checkNew}
        send={create}
        goOn={() => setDone(true)}
        words={creatorErrorMessages.offeringCreate}
        // Another user may log in next in this tab.
        draftKey={`offering.new.${session.status === 'signed-in' ? session.uid : ''}`}
        coverRequired
        coverTooLarge="Cover image must be smaller than 5MB."
        submitLabel="Create Offering"
        busyLabel="Creating..."
      />
      <FreshLogin {...freshLogin} />
    </Page>
  );
}
