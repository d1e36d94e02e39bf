import type { StoredFile } from '@stoa/contracts';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { bytesText } from '../ui/bytes.ts';
import { classNames } from '../ui/class-names.ts';
import { FileIcon, UploadIcon } from '../ui/editor-icons.tsx';
import { useFocusKept, useStrayDrops } from './upload-place.ts';
import type { Upload } from './use-upload.ts';

interface FileFieldProps {
  label: string;
  hint: ReactNode;
  error?: string;
  /** The file that the form has now. */
  file: StoredFile | null;
  upload: Upload;
  /** No new choice; an upload under way can still be cancelled. */
  disabled?: boolean;
}

/** One file of any type: chosen or dropped, uploaded at once, replaced, removed. */
export function FileField({ label, hint, file, upload, disabled, ...props }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { state } = upload;
  const uploadError = upload.refusal ?? (state.step === 'failed' ? state.error : undefined);
  const error = uploadError ?? props.error;
  const goOnAtInput = useFocusKept(input, [state.step, file]);
  useStrayDrops();
  const shown = state.step === 'idle' ? file && { name: file.filename, size: file.size } : state.file;

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !disabled) upload.choose(dropped);
  };

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div
        {...goOnAtInput}
        onDragOver={() => setOver(!disabled)}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
        }}
        onDrop={drop}
        className={classNames(
          'bg-sunk rounded-card grid gap-4 border-2 border-dashed p-5 transition-colors',
          over ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-line',
        )}
      >
        <div className="flex items-center gap-4">
          <span className="border-line bg-surface text-muted rounded-card grid size-12 shrink-0 place-items-center border">
            {shown ? <FileIcon /> : <UploadIcon />}
          </span>
          <div className="min-w-0 flex-1">
            {shown ? (
              <>
                <p className="font-medium">{shown.name}</p>
                <p className="text-muted text-sm">{bytesText(shown.size)}</p>
              </>
            ) : (
              <p className="text-muted">No file yet</p>
            )}
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <input
            ref={input}
            id={id}
            type="file"
            disabled={disabled}
            aria-invalid={Boolean(error)}
            aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              if (chosen) upload.choose(chosen);
              // The same file chosen again must count as a choice.
              event.target.value = '';
            }}
            className="file:bg-accent file:text-on-accent hover:file:bg-accent-strong w-40 rounded-full text-sm text-transparent file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-full file:border-0 file:px-5 file:font-semibold"
          />
          {state.step === 'failed' && (
            <>
              <Button look="secondary" size="small" onClick={upload.retry} disabled={disabled}>
                Try again
              </Button>
              <Button look="quiet" size="small" onClick={upload.cancel}>
                Cancel
              </Button>
            </>
          )}
          {state.step === 'idle' && file && (
            <Button look="quiet" size="small" onClick={upload.remove} disabled={disabled}>
              Remove file
            </Button>
          )}
        </div>
        {state.step === 'uploading' && (
          <Progress value={state.progress} size={state.file.size} onCancel={upload.cancel} />
        )}
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      </div>
      {/* What the form says of this field, its own live region says too. */}
      <div role={uploadError ? 'alert' : undefined} className="empty:absolute">
        {error && (
          <p id={`${id}-error`} className="text-danger text-sm font-medium">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

function Progress({ value, size, onCancel }: { value: number; size: number; onCancel: () => void }) {
  const done = value >= 1;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <progress value={value} aria-label="Upload of the file" className="progress h-2 min-w-40 flex-1" />
      <span className="text-muted text-sm tabular-nums">
        {done ? 'Checking…' : `${bytesText(Math.round(value * size))} of ${bytesText(size)}`}
      </span>
      <Button look="quiet" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
