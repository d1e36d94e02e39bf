import { limits } from '@stoa/contracts/limits';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { AccountRoom } from '../../../forms/uploads/account-room.tsx';
import { FileInput } from '../../../forms/uploads/file-input.tsx';
import { hasFiles, useIgnoreStrayDrops, useKeepFocus } from '../../../forms/uploads/upload-drop.ts';
import type { FileUploads } from '../../../forms/uploads/use-files.ts';
import type { FieldErrors } from '../../../forms/use-form.ts';
import { classNames } from '../../../ui/class-names.ts';
import { UploadIcon } from '../../../ui/icons/editor-icons.tsx';
import { FieldError, FieldLabel } from '../../../ui/fields/field.tsx';
import { type ChosenFile, withMoved } from './chosen-files.ts';
import { AttemptRow, FileRow } from './file-row.tsx';

interface FileListFieldProps {
  files: readonly ChosenFile[];
  errors: FieldErrors;
  uploads: FileUploads;
  /** Prevents a new choice. An upload in progress can still be cancelled. */
  disabled: boolean;
  onChange: (change: (now: readonly ChosenFile[]) => ChosenFile[], touched?: string) => void;
}

/**
 * The files of an offering. The user chooses or drops, reorders, replaces and removes them. Uploads start
 * immediately.
 */
export function FileListField({ files, errors, uploads, disabled, onChange }: FileListFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { attempts, refusal } = uploads;
  const failed = attempts.find(({ step }) => step === 'failed')?.error;
  const uploadError = refusal ?? failed;
  const error = uploadError ?? (attempts.length > 0 ? undefined : errors.files);
  const steps = attempts.map(({ key, step }) => key + step).join();
  const goOnAtInput = useKeepFocus(input, steps, files);
  const { announcement, move } = useMoves(files, onChange);
  useIgnoreStrayDrops();

  const added = attempts.filter(({ replaces }) => !files.some((file) => file.id === replaces));
  const choose = (chosen: Iterable<File>) =>
    uploads.choose([...chosen], limits.offeringFiles - files.length - added.length);
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (!disabled) choose(event.dataTransfer.files);
  };

  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label="Downloadable Files" />
      <div
        {...goOnAtInput}
        onDragOver={(event) => setOver(!disabled && hasFiles(event))}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
        }}
        onDrop={drop}
        className={classNames(
          'bg-sunk rounded-card grid gap-4 border-2 border-dashed p-5 transition-colors',
          over ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-line',
        )}
      >
        <p role="status" className="sr-only">
          {announcement}
        </p>
        {files.length + added.length > 0 ? (
          <ul className="divide-line divide-y">
            {files.map((file, index) => (
              <FileRow
                key={file.id}
                file={file}
                attempt={attempts.find(({ replaces }) => replaces === file.id)}
                noteError={errors[`files.${index}.note`]}
                uploads={uploads}
                disabled={disabled}
                move={files.length > 1 ? (by) => move(index, by) : undefined}
                isFirst={index === 0}
                isLast={index === files.length - 1}
                onNote={(note) =>
                  onChange(
                    (now) => now.map((one) => (one.id === file.id ? { ...one, note } : one)),
                    `files.${index}.note`,
                  )
                }
                onRemove={() => {
                  uploads.clearRefusal();
                  for (const { key, replaces } of attempts) if (replaces === file.id) uploads.cancel(key);
                  onChange((now) => now.filter((one) => one.id !== file.id));
                }}
              />
            ))}
            {added.map((attempt) => (
              <AttemptRow key={attempt.key} attempt={attempt} uploads={uploads} disabled={disabled} />
            ))}
          </ul>
        ) : (
          <div className="flex items-center gap-4">
            <span className="border-line bg-surface text-muted rounded-card grid size-12 shrink-0 place-items-center border">
              <UploadIcon />
            </span>
            <p className="text-muted">No file yet</p>
          </div>
        )}
        <FileInput
          ref={input}
          id={id}
          multiple
          disabled={disabled}
          aria-invalid={Boolean(error)}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          onChange={(event) => {
            choose(event.target.files ?? []);
            // Choosing the same file again must fire an event.
            event.target.value = '';
          }}
        />
        <p id={`${id}-hint`} className="text-muted text-sm">
          Optional, any type, up to 200MB each and {limits.offeringFiles} files. Only buyers who have the
          delivery link can download them.
        </p>
        <AccountRoom />
      </div>
      <div role={uploadError ? 'alert' : undefined} className="empty:absolute">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}

function useMoves(files: readonly ChosenFile[], onChange: FileListFieldProps['onChange']) {
  const [announcement, setAnnouncement] = useState('');
  const focused = useRef<Element>(null);

  // An element that moves within the page loses the focus.
  useEffect(() => {
    const lost = document.activeElement === document.body;
    if (lost && focused.current instanceof HTMLElement) focused.current.focus();
    focused.current = null;
  }, [files]);

  const move = (index: number, by: -1 | 1) => {
    focused.current = document.activeElement;
    onChange((now) => withMoved(now, index, by));
    setAnnouncement(`“${files[index]?.filename ?? ''}” is now number ${index + 1 + by} of ${files.length}.`);
  };
  return { announcement, move };
}
