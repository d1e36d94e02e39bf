import { Button } from '../ui/button.tsx';
import { bytesText } from '../ui/bytes.ts';
import type { FileAttempt } from './use-files.ts';
import type { UploadState } from './use-upload.ts';

/** A file on its way, and how much of it is sent. */
interface Sending {
  readonly file: File;
  readonly progress: number;
}

/** Those of a form's uploads that are on their way. */
export function sendingOf(uploads: readonly (UploadState | FileAttempt)[]): Sending[] {
  return uploads.flatMap((one) => (one.step === 'uploading' ? [one] : []));
}

interface UploadWaitProps {
  sending: readonly Sending[];
  /** What comes after it: `saving` or `publishing`. */
  then: 'saving' | 'publishing';
  onKeepEditing: () => void;
}

/** What a save waits for, and how to have the form back: the upload goes on. */
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
