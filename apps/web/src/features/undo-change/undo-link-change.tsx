import type { UndoneLinkChange } from '@stoa/contracts';
import { displayHost } from '@stoa/contracts/links';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { messageFor, type Words } from '../../api/messages.ts';
import { request } from '../../api/request.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

const gone = 'This link has been used, or has run out.';
const words: Words = {
  not_found: gone,
  invalid_input: gone,
  otherwise: 'The change could not be taken back. Please try again.',
};

/** Undoes a change of payment links. It waits for a confirmation, since programs open links in mails too. */
export function UndoLinkChange({ token }: { token: string }) {
  const [undone, setUndone] = useState<UndoneLinkChange>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const undo = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setUndone(await request('post', '/api/link-changes/undo', { body: { token } }));
    } catch (error) {
      setFailure(messageFor(words, error));
    }
    setBusy(false);
  };

  return (
    <Page title="Take Back a Change" width="text">
      <h1 className="text-4xl">Was It Not You?</h1>
      {!undone && (
        <>
          <p className="mt-4">
            A payment link of yours leads somewhere new. If it was not you, take the change back. Visitors who
            pay are led to where they were led before. An offering that had no payment link before becomes a
            draft. Later changes of the same page, and of other pages that lead to the same new link, are
            taken back with it.
          </p>
          <p className="mt-4">If it was you, there is nothing to do: leave this page.</p>
        </>
      )}
      <div role="status" className="mt-6 empty:absolute">
        {undone && <Message kind="success">{restored(undone)}</Message>}
      </div>
      <div role="alert" className="mt-6 empty:absolute">
        {(failure ?? (token ? undefined : gone)) && <Message kind="failure">{failure ?? gone}</Message>}
      </div>
      {undone && (
        <p className="mt-6">
          Whoever changed it was logged in to your account. Choose a new password now, and sign out
          everywhere: both are in your account room.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {undone ? (
          <>
            <Link to={paths.forgotPassword} className={buttonClass('primary')}>
              Change Password
            </Link>
            <Link to={paths.account} className={buttonClass('secondary')}>
              Account and Security
            </Link>
          </>
        ) : (
          token && (
            <Button look="danger" disabled={busy} onClick={() => void undo()}>
              {busy ? 'Taking It Back...' : 'It Was Not Me: Take It Back'}
            </Button>
          )
        )}
      </div>
    </Page>
  );
}

function restored({ offeringId, links }: UndoneLinkChange): ReactNode {
  const hosts = [...new Set(links.map(({ url }) => displayHost(url)))].join(', ');
  if (!hosts)
    return offeringId
      ? 'The change is taken back: the offering is a draft, which nobody else sees.'
      : 'The change is taken back: your profile has no payment links again.';
  const [first] = links;
  if (!offeringId || !first)
    return `The change is taken back: the payment links of your profile lead to ${hosts} again.`;
  return (
    <>
      The change is taken back: “<PersonalWords text={first.name} />” is paid at {hosts} again.
    </>
  );
}
