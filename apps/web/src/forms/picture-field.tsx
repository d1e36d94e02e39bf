import type { Picture as PictureFacts } from '@stoa/contracts';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { UploadIcon } from '../ui/editor-icons.tsx';
import { Picture } from '../ui/picture.tsx';
import { useFocusKept, useStrayDrops } from './upload-place.ts';
import type { Upload } from './use-upload.ts';

interface PictureFieldProps {
  label: string;
  hint: ReactNode;
  required?: boolean;
  error?: string;
  picture: PictureFacts | null;
  upload: Upload;
  shape: 'square' | 'wide';
  /** Whether the form may be saved without a picture. */
  removable?: boolean;
  disabled?: boolean;
}

export function PictureField(props: PictureFieldProps) {
  const { label, hint, required, picture, upload, shape, removable, disabled } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { state } = upload;
  const uploadError = upload.refusal ?? (state.step === 'failed' ? state.error : undefined);
  const error = uploadError ?? props.error;
  const goOnAtInput = useFocusKept(input, [state.step, picture]);
  useStrayDrops();

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) upload.choose(file);
  };

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
        {required && (
          <span aria-hidden="true" className="text-accent">
            {' '}
            *
          </span>
        )}
      </label>
      <div
        {...goOnAtInput}
        onDragOver={() => setOver(!disabled)}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
        }}
        onDrop={drop}
        className={classNames(
          'bg-sunk rounded-card flex flex-wrap items-center gap-5 border-2 border-dashed p-5 transition-colors',
          over ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-line',
        )}
      >
        <Preview state={state} picture={picture} shape={shape} />
        <div className="grid min-w-52 flex-1 gap-3">
          <input
            ref={input}
            id={id}
            type="file"
            accept="image/*"
            required={required}
            disabled={disabled}
            aria-invalid={Boolean(error)}
            aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) upload.choose(file);
              // The same file chosen again must count as a choice.
              event.target.value = '';
            }}
            className="file:bg-accent file:text-on-accent hover:file:bg-accent-strong w-40 rounded-full text-sm text-transparent file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-full file:border-0 file:px-5 file:font-semibold"
          />
          <p id={`${id}-hint`} className="text-muted text-sm">
            {hint}
          </p>
          {state.step === 'uploading' && <Progress value={state.progress} onCancel={upload.cancel} />}
          {state.step === 'failed' && (
            <div className="flex flex-wrap gap-2">
              <Button look="secondary" size="small" onClick={upload.retry}>
                Try again
              </Button>
              <Button look="quiet" size="small" onClick={upload.cancel}>
                Cancel
              </Button>
            </div>
          )}
          {removable && picture && state.step === 'idle' && (
            <div>
              <Button look="quiet" size="small" onClick={upload.remove} disabled={disabled}>
                Remove picture
              </Button>
            </div>
          )}
        </div>
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

function Preview({
  state,
  picture,
  shape,
}: Pick<PictureFieldProps, 'picture' | 'shape'> & Pick<PictureFieldProps['upload'], 'state'>) {
  const box = classNames(
    'border-line bg-surface text-muted grid shrink-0 place-items-center overflow-hidden rounded-card border',
    shape === 'square' ? 'size-28' : 'aspect-3/2 w-44',
  );
  return (
    <div className={box}>
      {state.step !== 'idle' ? (
        <img src={state.preview} alt="Preview of the chosen file" className="h-full w-full object-cover" />
      ) : picture ? (
        <Picture picture={picture} alt="Current picture" sizes="11rem" />
      ) : (
        <UploadIcon />
      )}
    </div>
  );
}

function Progress({ value, onCancel }: { value: number; onCancel: () => void }) {
  const percent = Math.round(value * 100);
  return (
    <div className="flex items-center gap-3">
      <progress value={value} aria-label="Upload" className="progress h-2 flex-1" />
      <span className="text-muted w-24 text-sm tabular-nums">
        {percent < 100 ? `${percent} %` : 'Checking…'}
      </span>
      <Button look="quiet" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
