import { type StoredFile, uploadBytes, uploadTooLarge } from '@stoa/contracts';
import { creatorErrorMessages } from '../api/creator-messages.ts';
import { uploadFile } from './upload.ts';
import { useUpload } from './use-upload.ts';

/** The file that an offering delivers. `onChange` runs with the finished upload, and with null when it is taken away. */
export function useFile(onChange: (file: StoredFile | null) => void) {
  return useUpload<StoredFile>({
    check: refusalOf,
    send: uploadFile,
    words: creatorErrorMessages.fileUpload,
    onChange,
  });
}

function refusalOf({ size }: File): string | undefined {
  if (size === 0) return 'The file is empty.';
  return size > uploadBytes['offering-file'] ? uploadTooLarge['offering-file'] : undefined;
}
