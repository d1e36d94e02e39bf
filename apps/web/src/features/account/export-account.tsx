import type { Creator } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { ApiError } from '../../api/http.ts';
import { messageFor } from '../../api/messages.ts';
import { signInMessages } from '../../api/account/sign-in-messages.ts';
import { paths } from '../../navigation/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { useAccountExport, useExportAccount } from './account-export.queries.ts';
import { AccountRow, rowStatus } from './account-row.tsx';

// The address for the return from the log-in and for the link in the mail.
const here = '?export';
const exportStates = { none: '', making: 'Being made', ready: 'Ready', failed: 'Failed' } as const;
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Exports the account in the background after a recent log-in. A confirmed address gets a mail when the
 * export is ready.
 */
export function ExportAccount({ email, emailVerified }: Pick<Creator, 'email' | 'emailVerified'>) {
  const latest = useAccountExport();
  const exporting = useExportAccount();
  const [failure, setFailure] = useState<string>();
  const [isLeaving, setLeaving] = useState(false);
  // The server decides whether the log-in is recent, even if this page thinks so.
  const [refused, setRefused] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  // The second click of a double click comes before the button is disabled.
  const begun = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isMeant = useLocation().search === here;

  useEffect(() => {
    if (isMeant) heading.current?.focus();
  }, [isMeant]);
  useEffect(() => () => leaving.current?.abort(), []);

  const begin = async () => {
    if (begun.current) return;
    begun.current = true;
    const { signal } = (leaving.current = new AbortController());
    setFailure(undefined);
    try {
      const { freshLoginAddress, isLoginFresh } = await import('../../auth/sign-in.ts');
      if (isLoginFresh() && !refused) {
        await exporting.mutateAsync();
        return;
      }
      setLeaving(true);
      location.assign(await freshLoginAddress(paths.account + here, 'export-account', signal));
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      const words = error instanceof ApiError ? creatorErrorMessages.exportAccount : signInMessages.login;
      setFailure(messageFor(words, error));
      if (error instanceof ApiError && error.reason === 'forbidden') setRefused(true);
    } finally {
      begun.current = false;
      // A user who goes back from the log-in in the history finds the page as it was.
      setLeaving(false);
    }
  };

  const { state = 'none', url, expiresAt } = latest.data ?? {};
  const isMaking = state === 'making';
  return (
    <AccountRow
      id="export-account"
      title="Export Your Data"
      value={latest.isError && !latest.data ? 'Not known at the moment' : exportStates[state]}
      opensFor={failure ?? (isMeant && here)}
      heading={heading}
      status={
        <>
          <div role="alert" className={rowStatus}>
            {failure && <Message kind="failure">{failure}</Message>}
            {!failure && state === 'failed' && (
              <Message kind="failure">Your last export could not be made. Please try again.</Message>
            )}
          </div>
          <div role="status" className={rowStatus}>
            {isMaking && (
              <Message kind="success">Your export is being made. You may leave this page.</Message>
            )}
            {state === 'ready' && expiresAt && (
              <Message kind="success">Your export is ready until {time.format(new Date(expiresAt))}.</Message>
            )}
          </div>
        </>
      }
    >
      <p>
        One archive with your account, your profile, your offerings, your sales, the messages to you that we
        still keep, and your pictures and files.
      </p>
      <p className="text-muted mt-4 break-words">
        It is made in the background.{' '}
        {emailVerified ? `We write to ${email} when it is ready.` : 'It appears here when it is ready.'} You
        can download it here for {limits.exportHours} hours; then it is removed. There may be{' '}
        {limits.exportsPerDay} exports in a day.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {url && (
          <a href={url} className={buttonClass('primary', 'small')}>
            Download Your Export
          </a>
        )}
        <Button
          look="secondary"
          size="small"
          disabled={isLeaving || isMaking || exporting.isPending}
          onClick={() => void begin()}
        >
          Export My Data
        </Button>
      </div>
    </AccountRow>
  );
}
