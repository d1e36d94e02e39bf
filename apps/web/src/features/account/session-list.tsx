import type { AccountSession } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { ErrorState, Message } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { tagClass } from '../../ui/tag.tsx';
import { useEndSession, useSessions, useSignOutEverywhere } from './sessions.queries.ts';
import { AccountRow, rowStatus } from './account-row.tsx';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const at = (timestamp: string) => time.format(new Date(timestamp));

const browsers = (count: number) => (count === 1 ? 'This browser only' : `${count} browsers`);
const nameOf = ({ browser }: AccountSession) => browser ?? 'Unknown browser';

/** The account's sessions, with buttons that end them. */
export function SessionList() {
  const sessions = useSessions();
  const end = useEndSession();
  const failure = end.error ? messageFor(creatorErrorMessages.endSession, end.error) : undefined;
  const heading = useRef<HTMLHeadingElement>(null);
  const [announcement, setAnnouncement] = useState('');

  const pressed = useRef<HTMLElement>(undefined);

  useEffect(() => {
    const button = pressed.current;
    if (end.isPending || !button) return;
    const { activeElement, body } = document;
    // A disabled button loses the focus and disappears with its row. A focus elsewhere stays.
    if (activeElement !== body && activeElement !== button) pressed.current = undefined;
    else if (button.isConnected) button.focus();
    else {
      pressed.current = undefined;
      heading.current?.focus();
    }
  }, [end.isPending, sessions.data]);

  const signOut = (session: AccountSession, button: HTMLElement) => {
    pressed.current = button;
    setAnnouncement('');
    end.mutate(session.id, {
      onSuccess: () =>
        setAnnouncement(`${nameOf(session)}, signed in ${at(session.startedAt)}, is signed out.`),
    });
  };

  return (
    <AccountRow
      id="sessions"
      title="Where You Are Signed In"
      value={sessions.data && browsers(sessions.data.items.length)}
      heading={heading}
      opensFor={sessions.isError && 'failed'}
      status={
        <>
          <div role="alert" className={rowStatus}>
            {failure && <Message kind="failure">{failure}</Message>}
          </div>
          <div role="status" className={rowStatus}>
            {announcement && <Message kind="success">{announcement}</Message>}
          </div>
        </>
      }
    >
      {sessions.data ? (
        <>
          <ul className="divide-line mt-2 divide-y">
            {sessions.data.items.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                busy={end.isPending}
                onEnd={(button) => signOut(session, button)}
              />
            ))}
          </ul>
          <SignOutEverywhere />
        </>
      ) : sessions.isError ? (
        <div className="mt-6">
          <ErrorState
            title={messageFor(creatorErrorMessages.sessions, sessions.error)}
            reference={referenceOf(sessions.error)}
            onRetry={() => void sessions.refetch()}
          />
        </div>
      ) : (
        <div className="mt-6 grid gap-4">
          <LoadingText>Loading your sessions...</LoadingText>
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </div>
      )}
    </AccountRow>
  );
}

interface SessionRowProps {
  session: AccountSession;
  busy: boolean;
  onEnd: (button: HTMLElement) => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { startedAt, lastAccessAt, ipAddress, current } = session;
  return (
    <li className="grid gap-4 py-5 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-8">
      <div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-lg font-semibold wrap-anywhere">{nameOf(session)}</h3>
          {current && <span className={tagClass}>This browser</span>}
        </div>
        <p className="text-muted mt-1 wrap-anywhere">
          Signed in {at(startedAt)}
          {ipAddress && ` from ${ipAddress}`}, last used {at(lastAccessAt)}
        </p>
      </div>
      {!current && (
        <Button
          look="secondary"
          size="small"
          className="sm:min-w-44"
          aria-label={`Sign out ${nameOf(session)}, signed in ${at(startedAt)}`}
          disabled={busy}
          onClick={({ currentTarget }) => onEnd(currentTarget)}
        >
          Sign Out
        </Button>
      )}
    </li>
  );
}

function SignOutEverywhere() {
  const [asking, setAsking] = useState(false);
  const everywhere = useSignOutEverywhere();

  const confirm = async () => {
    try {
      await everywhere.mutateAsync();
      const { forgetSignIn } = await import('../../auth/sign-in.ts');
      location.replace(forgetSignIn());
    } catch {
      // The message appears beside the button. The query client logs every failed mutation.
      setAsking(false);
    }
  };

  return (
    <div className="border-line border-t pt-6">
      <div role="alert" className="mb-4 empty:absolute">
        {everywhere.error && (
          <Message kind="failure">{messageFor(creatorErrorMessages.endSession, everywhere.error)}</Message>
        )}
      </div>
      <Button look="danger" size="small" onClick={() => setAsking(true)}>
        Sign Out Everywhere
      </Button>
      <ConfirmDialog
        open={asking}
        title="Sign out everywhere?"
        text="Every browser and device has to log in again, this one too. What is not saved is lost."
        confirmLabel="Sign Out Everywhere"
        busyLabel="Signing Out..."
        busy={everywhere.isPending}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}
