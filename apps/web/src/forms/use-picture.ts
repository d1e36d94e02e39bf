import { pictureContentTypes, type Picture, uploadBytes, type PicturePurpose } from '@stoa/contracts';
import { creatorErrorMessages } from '../api/creator-messages.ts';
import { uploadPicture } from './upload.ts';
import { useUpload } from './use-upload.ts';

interface PictureOptions {
  purpose: PicturePurpose;
  tooLarge: string;
  /** Runs with the finished upload, and with null when the picture is taken away. */
  onChange: (picture: Picture | null) => void;
}

/** One picture of a form. */
export function usePicture({ purpose, tooLarge, onChange }: PictureOptions) {
  return useUpload<Picture>({
    check: (file) => refusalOf(file, purpose, tooLarge),
    send: (file, onProgress, signal) => uploadPicture(purpose, file, onProgress, signal),
    words: creatorErrorMessages.upload,
    onChange,
  });
}

function refusalOf(file: File, purpose: PicturePurpose, tooLarge: string): string | undefined {
  if (!pictureContentTypes.some((type) => type === file.type))
    return 'Choose a JPEG, PNG, WebP or AVIF picture.';
  if (file.size === 0) return 'The file is empty.';
  return file.size > uploadBytes[purpose] ? tooLarge : undefined;
}
