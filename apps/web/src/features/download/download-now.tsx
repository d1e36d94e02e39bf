import type { DownloadFile } from '@stoa/contracts';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { downloadAgainErrorMessages } from '../../api/public/download-messages.ts';
import { isPermanent } from '../../api/http.ts';
import { messageFor } from '../../api/messages.ts';
import { buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DownloadIcon } from '../../ui/icons/download-icon.tsx';
import { type DownloadAddress, readDownload } from './download.queries.ts';

interface DownloadNowProps {
  address: DownloadAddress;
  file: DownloadFile;
  /** The file's label, if the page has several. */
  label?: string;
  small?: boolean;
  /** Runs when the page's key no longer opens the offering. */
  onReplaced: () => void;
  children: ReactNode;
}

/** A file's link works for minutes, and a page may be open for hours. So a click requests a new link. */
export function DownloadNow({ address, file, label, small, onReplaced, children }: DownloadNowProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const follow = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { files: fresh } = await readDownload(address);
      // A new version has another id. The only file of the page is replaced by the only one of the answer.
      const wanted = fresh.find(({ id }) => id === file.id) ?? (small ? undefined : fresh[0]);
      if (wanted) location.assign(wanted.mediaUrl);
      else if (fresh.length > 0) setProblem('This file was replaced. Reload the page for the new version.');
      else setProblem('No downloadable file is associated with this offering.');
    } catch (error) {
      console.error(error);
      if (address.deliveryKey !== undefined && isPermanent(error)) return onReplaced();
      setProblem(messageFor(downloadAgainErrorMessages, error));
    }
    setBusy(false);
  };

  return (
    <>
      <a
        href={file.mediaUrl}
        download
        aria-label={label}
        aria-busy={busy}
        onClick={(event) => void follow(event)}
        className={classNames(
          small ? buttonClass('secondary', 'small') : buttonClass(),
          'py-2 [&>svg]:shrink-0',
        )}
      >
        <DownloadIcon /> {children}
      </a>
      <p role="alert" className="text-danger font-medium empty:absolute">
        {problem}
      </p>
    </>
  );
}
