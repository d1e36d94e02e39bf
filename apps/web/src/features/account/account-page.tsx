import { Link, useLocation } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { accountChangeOf } from '../../auth/account-change.ts';
import { AccountRoom } from '../../forms/uploads/account-room.tsx';
import { useMe } from '../../auth/me.queries.ts';
import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState, Message } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { AccountRows } from './account-row.tsx';
import { changeMessage } from './account-changes.ts';
import { ExportAccount } from './export-account.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DisplayName } from './display-name.tsx';
import { LinkChangeLog } from './link-change-log.tsx';
import { SessionList } from './session-list.tsx';
import { SignInMethods } from './sign-in-methods.tsx';

/** The account's sign-in settings. Secrets are changed on the sign-in server's own pages. */
export default function AccountPage() {
  const me = useMe();
  return (
    <Page title="Account and Security" width="text" room>
      <h1 className="text-3xl">Account and Security</h1>
      <p className="text-muted mt-2 text-sm">
        What you are called, how you log in, and how others are kept out. How you log in is changed on our
        log-in page, which asks for your password first if you logged in more than five minutes ago.
      </p>
      <ChangeNote />
      <div className="mt-5 grid grid-cols-1 gap-5">
        {me.data ? (
          <>
            <AccountRows>
              <DisplayName creator={me.data} />
            </AccountRows>
            <SignInMethods email={me.data.email} />
          </>
        ) : me.isError ? (
          <ErrorState
            title={messageFor(creatorErrorMessages.ownProfile, me.error)}
            reference={referenceOf(me.error)}
            onRetry={() => void me.refetch()}
          />
        ) : (
          <div>
            <LoadingText>Loading your account...</LoadingText>
            <Skeleton className="h-96 w-full" />
          </div>
        )}
        <AccountRows>
          <SessionList />
          <LinkChangeLog />
          {me.data && <ExportAccount {...me.data} />}
        </AccountRows>
        {me.data && (
          <>
            <AccountRoom />
            <AccountRows isDangerous>
              <DeleteAccount {...me.data} />
            </AccountRows>
          </>
        )}
      </div>
      <Link to={paths.dashboard} className={`${buttonClass('quiet', 'small')} mt-4 max-sm:hidden`}>
        Back to Dashboard
      </Link>
      <RoomTabs />
    </Page>
  );
}

/** The outcome of the change from which the user returns. */
function ChangeNote() {
  const state: unknown = useLocation().state;
  const told = typeof state === 'object' && state !== null && 'changed' in state ? state.changed : undefined;
  const change = accountChangeOf(told);
  return (
    <div role="status" className="mt-6 empty:absolute">
      {change && (
        <Message kind={change.outcome === 'success' ? 'success' : 'failure'}>{changeMessage(change)}</Message>
      )}
    </div>
  );
}
