import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { messageFor, type Words } from '../../api/messages.ts';
import { request } from '../../api/request.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { UndoLinkChange } from './undo-link-change.tsx';

// The gateway allows Keycloak 20 s.
const longestMs = 25_000;

/** The query of links in mails about payment links. */
const ofLinks = '?links';

const gone = 'This link has been used, or has run out.';
const words: Words = {
  not_found: gone,
  invalid_input: gone,
  conflict: 'Another account has your address now, so the change cannot be taken back. Please write to us.',
  otherwise: 'The change could not be taken back. Please try again.',
};

/** The target of the links in mails about changes. */
export default function UndoChangePage() {
  const { hash, search } = useLocation();
  const token = hash.slice(1);
  return search === ofLinks ? <UndoLinkChange token={token} /> : <UndoAccountChange token={token} />;
}

/**
 * Undoes a change of email or password. It waits for a confirmation, since programs open links in mails too.
 */
function UndoAccountChange({ token }: { token: string }) {
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const [failure, setFailure] = useState<string>();

  const undo = async () => {
    setState('busy');
    setFailure(undefined);
    try {
      await request('post', '/api/account-changes/undo', { body: { token }, longestMs });
      setState('done');
    } catch (error) {
      setFailure(messageFor(words, error));
      setState('idle');
    }
  };

  return (
    <Page title="Take Back a Change" width="text">
      <h1 className="text-4xl">Was It Not You?</h1>
      {state !== 'done' && (
        <>
          <p className="mt-4">
            We have told you that the email or the password of your account was changed. If it was not you,
            take the change back: the account belongs to your address again, everybody is signed out, the
            password no longer works, and we mail you a link to choose a new one.
          </p>
          <p className="mt-4">If it was you, there is nothing to do: leave this page.</p>
        </>
      )}
      <div role="status" className="mt-6 empty:absolute">
        {state === 'done' && (
          <Message kind="success">
            The account is yours again, and everybody is signed out. A mail with a link to choose a new
            password is on its way to you.
          </Message>
        )}
      </div>
      <div role="alert" className="mt-6 empty:absolute">
        {(failure ?? (token ? undefined : gone)) && <Message kind="failure">{failure ?? gone}</Message>}
      </div>
      <div className="mt-6">
        {state === 'done' ? (
          <Link to={paths.forgotPassword} className={buttonClass('secondary')}>
            Ask for Another Mail
          </Link>
        ) : (
          token && (
            <Button look="danger" disabled={state === 'busy'} onClick={() => void undo()}>
              {state === 'busy' ? 'Taking It Back...' : 'It Was Not Me: Take It Back'}
            </Button>
          )
        )}
      </div>
    </Page>
  );
}
