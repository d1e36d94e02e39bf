import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError, FieldLabel } from '../../ui/fields/field.tsx';
import { FileInput } from './file-input.tsx';
import { hasFiles, useKeepFocus, useIgnoreStrayDrops } from './upload-drop.ts';
import type { Upload } from './use-upload.ts';

/** An upload whose file the user chooses. */
type Chooser = Upload & { readonly choose: (file: File) => void };

export interface UploadFieldProps {
  label: string;
  hint: ReactNode;
  required?: boolean;
  error?: string;
  upload: Chooser;
  /** Prevents a new choice. An upload in progress can still be cancelled. */
  disabled?: boolean;
}

interface FrameProps extends UploadFieldProps {
  /** The form's current value. It changes with a finished upload and with a removal. */
  held: object | null;
  accept?: string;
  boxClass: string;
  children: (parts: { input: ReactNode; hint: ReactNode; inputId: string }) => ReactNode;
}

/** The label, drop area, input, hint and error around the content of an upload field. */
export function UploadField({ label, required, upload, disabled, held, children, ...props }: FrameProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { state } = upload;
  const uploadError = upload.refusal ?? (state.step === 'failed' ? state.error : undefined);
  // The upload in progress may be what the form lacks.
  const error = uploadError ?? (state.step === 'uploading' ? undefined : props.error);
  const goOnAtInput = useKeepFocus(input, state.step, held);
  useIgnoreStrayDrops();

  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) upload.choose(file);
  };

  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} required={required} />
      <div
        {...goOnAtInput}
        onDragOver={(event) => setOver(!disabled && hasFiles(event))}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
        }}
        onDrop={drop}
        className={classNames(
          'bg-sunk rounded-card border-2 border-dashed p-5 transition-colors',
          props.boxClass,
          over ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-line',
        )}
      >
        {children({
          inputId: id,
          input: (
            <FileInput
              ref={input}
              id={id}
              accept={props.accept}
              required={required}
              disabled={disabled}
              aria-invalid={Boolean(error)}
              aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (file) upload.choose(file);
                // Choosing the same file again must fire an event.
                event.target.value = '';
              }}
            />
          ),
          hint: (
            <p id={`${id}-hint`} className="text-muted text-sm">
              {props.hint}
            </p>
          ),
        })}
      </div>
      {/* Only upload errors alert here: the form's own live region announces its errors. */}
      <div role={uploadError ? 'alert' : undefined} className="empty:absolute">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}

interface ButtonsProps {
  upload: Upload;
  disabled?: boolean | undefined;
  /** Set only if there is a file to remove. */
  removeLabel: string | null | undefined | false;
}

/** The buttons for a failed upload, or for the form's current file. */
export function UploadButtons({ upload, disabled, removeLabel }: ButtonsProps) {
  if (upload.state.step === 'failed')
    return (
      <>
        <Button look="secondary" size="small" onClick={upload.retry} disabled={disabled}>
          Try again
        </Button>
        <Button look="quiet" size="small" onClick={upload.cancel}>
          Cancel
        </Button>
      </>
    );
  if (upload.state.step === 'uploading' || !removeLabel) return null;
  return (
    <Button look="quiet" size="small" onClick={upload.remove} disabled={disabled}>
      {removeLabel}
    </Button>
  );
}

interface ProgressProps {
  label: string;
  value: number;
  /** The progress in words. After the upload the storage still checks the file. */
  told: string;
  onCancel: () => void;
}

export function UploadProgress({ label, value, told, onCancel }: ProgressProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <progress value={value} aria-label={label} className="progress h-2 min-w-24 flex-1" />
      <span className="text-muted min-w-24 text-sm tabular-nums">{value < 1 ? told : 'Checking…'}</span>
      <Button look="quiet" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
