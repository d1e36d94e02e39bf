import { Button } from '../../ui/button.tsx';
import { bytesText } from '../../ui/text/bytes.ts';
import type { FileAttempt } from './use-files.ts';
import type { UploadState } from './use-upload.ts';

/** A file in upload, and its progress from 0 to 1. */
interface Sending {
  readonly file: File;
  readonly progress: number;
}

export function sendingOf(uploads: readonly (UploadState | FileAttempt)[]): Sending[] {
  return uploads.flatMap((one) => (one.step === 'uploading' ? [one] : []));
}

interface UploadWaitProps {
  sending: readonly Sending[];
  then: 'saving' | 'publishing';
  onKeepEditing: () => void;
}

/** Shows what a save waits for, and a button that cancels the save. The upload continues. */
export function UploadWait({ sending, then, onKeepEditing }: UploadWaitProps) {
  if (sending.length === 0) return null;
  const all = sending.reduce((sum, { file }) => sum + file.size, 0);
  const sent = sending.reduce((sum, { file, progress }) => sum + Math.round(progress * file.size), 0);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="tabular-nums">
        Uploading {bytesText(sent)} of {bytesText(all)}, then {then}.
      </p>
      <Button look="quiet" size="small" onClick={onKeepEditing}>
        Keep Editing
      </Button>
    </div>
  );
}
