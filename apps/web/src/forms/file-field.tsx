import type { StoredFile } from '@stoa/contracts';
import { bytesText } from '../ui/bytes.ts';
import { FileIcon, UploadIcon } from '../ui/editor-icons.tsx';
import { UploadButtons, UploadField, type UploadFieldProps, UploadProgress } from './upload-field.tsx';

interface FileFieldProps extends UploadFieldProps {
  /** The file that the form has now. */
  file: StoredFile | null;
}

/** One file of any type: chosen or dropped, uploaded at once, replaced, removed. */
export function FileField({ file, ...field }: FileFieldProps) {
  const { upload, disabled } = field;
  const { state } = upload;
  const shown = state.step === 'idle' ? file && { name: file.filename, size: file.size } : state.file;
  return (
    <UploadField {...field} held={file} boxClass="grid gap-4">
      {({ input, hint }) => (
        <>
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
            {input}
            <UploadButtons upload={upload} disabled={disabled} removeLabel={file && 'Remove file'} />
          </div>
          {state.step === 'uploading' && (
            <UploadProgress
              label="Upload of the file"
              value={state.progress}
              told={`${bytesText(Math.round(state.progress * state.file.size))} of ${bytesText(state.file.size)}`}
              onCancel={upload.cancel}
            />
          )}
          {hint}
        </>
      )}
    </UploadField>
  );
}
