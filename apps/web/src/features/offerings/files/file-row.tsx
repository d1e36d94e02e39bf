import { limits } from '@stoa/contracts/limits';
import { useRef } from 'react';
import { UploadProgress } from '../../../forms/uploads/upload-field.tsx';
import type { FileAttempt, FileUploads } from '../../../forms/uploads/use-files.ts';
import { Button } from '../../../ui/button.tsx';
import { bytesText } from '../../../ui/text/bytes.ts';
import { DownIcon, FileIcon, UpIcon } from '../../../ui/icons/editor-icons.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { ChosenFile } from './chosen-files.ts';
import { FileName } from '../../../ui/text/personal-words.tsx';

interface FileRowProps {
  file: ChosenFile;
  /** The upload of a new version of this file. */
  attempt: FileAttempt | undefined;
  noteError: string | undefined;
  uploads: FileUploads;
  disabled: boolean;
  /** Absent if it is the only file. */
  move: ((by: -1 | 1) => void) | undefined;
  isFirst: boolean;
  isLast: boolean;
  onNote: (note: string) => void;
  onRemove: () => void;
}

export function FileRow({ file, attempt, noteError, uploads, disabled, ...props }: FileRowProps) {
  const { move, isFirst, isLast, onNote, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const { id, filename, note, updatedAt, replaces } = file;
  const isVersion = replaces !== undefined || updatedAt !== null || note !== '';
  return (
    <li className="grid gap-3 py-4 first:pt-0">
      <Described name={filename} size={file.size} />
      {isVersion && !attempt && (
        <TextField
          label="What is new in this version"
          placeholder="Fixed page 12"
          hint={replaces ? 'Optional. Buyers see it beside the file, with the date.' : undefined}
          maxLength={limits.fileNoteLength}
          disabled={disabled}
          value={note}
          error={noteError}
          onChange={({ target }) => onNote(target.value)}
        />
      )}
      {attempt && <Attempt attempt={attempt} uploads={uploads} disabled={disabled} />}
      {!attempt && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            look="secondary"
            size="small"
            aria-label={`Replace file ${filename}`}
            disabled={disabled}
            onClick={() => input.current?.click()}
          >
            Replace file
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={`Another version of ${filename}`}
            disabled={disabled}
            onChange={(event) => {
              uploads.choose([...(event.target.files ?? [])], 1, id);
              event.target.value = '';
            }}
          />
          <Button
            look="quiet"
            size="small"
            aria-label={`Remove file ${filename}`}
            disabled={disabled}
            onClick={onRemove}
          >
            Remove file
          </Button>
          {move && (
            <div className="ms-auto flex shrink-0">
              <IconButton
                label={`Move ${filename} up`}
                unavailable={disabled || isFirst}
                onClick={() => move(-1)}
              >
                <UpIcon />
              </IconButton>
              <IconButton
                label={`Move ${filename} down`}
                unavailable={disabled || isLast}
                onClick={() => move(1)}
              >
                <DownIcon />
              </IconButton>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

interface AttemptProps {
  attempt: FileAttempt;
  uploads: FileUploads;
  disabled: boolean;
}

/** A new file in upload, or one whose upload failed. */
export function AttemptRow({ attempt, uploads, disabled }: AttemptProps) {
  const { name, size } = attempt.file;
  return (
    <li className="grid gap-3 py-4 first:pt-0">
      <Described name={name} size={size} />
      <Attempt attempt={attempt} uploads={uploads} disabled={disabled} />
    </li>
  );
}

function Attempt({ attempt, uploads, disabled }: AttemptProps) {
  const { key, file, step, progress } = attempt;
  if (step === 'uploading')
    return (
      <UploadProgress
        label={`Upload of the file ${file.name}`}
        value={progress}
        told={`${bytesText(Math.round(progress * file.size))} of ${bytesText(file.size)}`}
        onCancel={() => uploads.cancel(key)}
      />
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-danger min-w-0 text-sm [overflow-wrap:anywhere]">
        <FileName name={file.name} /> was not uploaded.
      </p>
      <Button look="secondary" size="small" disabled={disabled} onClick={() => uploads.retry(attempt)}>
        Try again
      </Button>
      <Button look="quiet" size="small" onClick={() => uploads.cancel(key)}>
        Cancel
      </Button>
    </div>
  );
}

function Described({ name, size }: { name: string; size: number }) {
  return (
    <div className="flex items-center gap-4">
      <span className="border-line bg-surface text-muted rounded-card grid size-12 shrink-0 place-items-center border">
        <FileIcon />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          <FileName name={name} />
        </p>
        <p className="text-muted text-sm">{bytesText(size)}</p>
      </div>
    </div>
  );
}
