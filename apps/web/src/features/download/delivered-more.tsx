import type { Download, DownloadFile } from '@stoa/contracts';
import { displayHost } from '@stoa/contracts/links';
import { buttonClass } from '../../ui/button.tsx';
import { bytesText } from '../../ui/text/bytes.ts';
import { FormattedText } from '../../ui/text/formatted-text.tsx';
import { ArrowIcon } from '../../ui/icons/icons.tsx';
import { DownloadNow } from './download-now.tsx';
import type { DownloadAddress } from './download.queries.ts';
import { FileName, PersonalWords } from '../../ui/text/personal-words.tsx';

interface DeliveredMoreProps {
  address: DownloadAddress;
  download: Download;
  onReplaced: () => void;
}

/** The delivered content beyond one file. It has its own chunk, since most offerings deliver one file. */
export default function DeliveredMore({ address, download, onReplaced }: DeliveredMoreProps) {
  const { files, deliveryText, deliveryUrl } = download;
  return (
    <>
      {deliveryText && (
        <div className="bg-sunk rounded-card w-full px-5 py-2 text-start [overflow-wrap:anywhere]">
          <FormattedText text={deliveryText} />
        </div>
      )}
      {deliveryUrl && <DeliveredLink url={deliveryUrl} />}
      {files.length > 1 && <Files address={address} files={files} onReplaced={onReplaced} />}
      {files.length === 1 && files.map((file) => <Version key={file.id} file={file} />)}
    </>
  );
}

interface FilesProps {
  address: DownloadAddress;
  files: DownloadFile[];
  onReplaced: () => void;
}

function Files({ address, files, onReplaced }: FilesProps) {
  return (
    <section aria-labelledby="files-title" className="w-full text-start">
      <h2 id="files-title" className="text-2xl">
        Your {files.length} files
      </h2>
      <ul className="divide-line mt-2 divide-y">
        {files.map((file) => (
          <li key={file.id} className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3 py-4">
            <div className="min-w-40 flex-1">
              <p className="font-medium [overflow-wrap:anywhere]">
                <FileName name={file.filename} />
              </p>
              <p className="text-muted text-sm">{bytesText(file.size)}</p>
              <Version file={file} />
            </div>
            <div className="grid justify-items-end gap-2">
              <DownloadNow
                address={address}
                file={file}
                label={`Download ${file.filename}`}
                small
                onReplaced={onReplaced}
              >
                Download
              </DownloadNow>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The date of this version, and the creator's note about it. */
function Version({ file: { note, updatedAt } }: { file: DownloadFile }) {
  if (!note && !updatedAt) return null;
  const date = updatedAt && new Date(updatedAt);
  return (
    <p className="text-muted text-sm">
      {date && (
        <>
          Updated{' '}
          <time dateTime={date.toISOString()}>{date.toLocaleDateString('en', { dateStyle: 'long' })}</time>
        </>
      )}
      {date && note && ': '}
      <PersonalWords text={note} />
    </p>
  );
}

function DeliveredLink({ url }: { url: string }) {
  return (
    <div className="max-w-full">
      <a
        href={url}
        rel="noopener noreferrer nofollow"
        target="_blank"
        className={`${buttonClass()} py-2 [&>svg]:shrink-0`}
      >
        Open Your Link <ArrowIcon />
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <p dir="ltr" className="text-muted mt-2 text-sm [overflow-wrap:anywhere]">
        {displayHost(url)}
      </p>
    </div>
  );
}
