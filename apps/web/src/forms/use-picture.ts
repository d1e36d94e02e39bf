import { pictureContentTypes, type Picture, uploadBytes, type PicturePurpose } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { creatorErrorMessages } from '../api/creator-messages.ts';
import { canMeasure, measurePicture, type PictureSize } from './picture-decoding.ts';
import { uploadPicture } from './upload.ts';
import { useUpload } from './use-upload.ts';

/** How much wider than high each picture is shown. */
export const pictureRatios: Readonly<Record<PicturePurpose, number>> = {
  'profile-picture': 1,
  'offering-cover': 3 / 2,
  'profile-header': 3,
};
/** What is cut off by less than that goes without saying. */
const tolerance = 0.03;
/** What the media service takes; a larger one is made smaller here. */
const mostPixels = 40_000_000;
const mostAvifPixels = 24_000_000;
const longestSide = 16_384;
/** Beyond any camera: a browser might not survive it. */
const mostReadablePixels = 120_000_000;

interface PictureOptions {
  purpose: PicturePurpose;
  tooLarge: string;
  /** Runs with the finished upload, and with null when the picture is taken away. */
  onChange: (picture: Picture | null) => void;
}

/** A chosen file that is cut and made smaller before it is sent. */
export interface Cropping {
  readonly file: File;
  readonly size: PictureSize;
}

export type PictureUpload = ReturnType<typeof usePicture>;

/** One picture of a form: one that is refused for its size alone, or has another shape, can be cut and made smaller. */
export function usePicture({ purpose, tooLarge, onChange }: PictureOptions) {
  const upload = useUpload<Picture>({
    send: (file, onProgress, signal) => uploadPicture(purpose, file, onProgress, signal),
    words: creatorErrorMessages.upload,
    onChange,
  });
  const [cropping, setCropping] = useState<Cropping>();
  const [shrinkable, setShrinkable] = useState<Cropping>();
  const looking = useRef<Promise<void>>(undefined);
  const chosen = useRef<File>(undefined);

  useEffect(
    () => () => {
      chosen.current = undefined;
    },
    [],
  );

  async function look(file: File): Promise<void> {
    const size = await measurePicture(file);
    // Another one was chosen meanwhile, or none.
    if (chosen.current !== file) return;
    const readable = size && size.width * size.height <= mostReadablePixels;
    if (isHeic(file)) {
      if (readable) setCropping({ file, size });
      else upload.refuse(noHeic);
    } else if (file.size > uploadBytes[purpose]) {
      if (readable) setShrinkable({ file, size });
    } else if (readable && !fits(file, size, pictureRatios[purpose])) setCropping({ file, size });
    else upload.start(file);
  }

  function choose(file: File): void {
    chosen.current = file;
    setShrinkable(undefined);
    const refusal = refusalOf(file, purpose, tooLarge);
    if (refusal) upload.refuse(refusal);
    if (refusal && refusal !== tooLarge) return;
    if (canMeasure()) looking.current = look(file);
    else if (isHeic(file)) upload.refuse(noHeic);
    else if (!refusal) upload.start(file);
  }

  const leave = () => {
    chosen.current = undefined;
    setShrinkable(undefined);
  };

  return {
    ...upload,
    pending: upload.pending ?? cropping?.file,
    choose,
    cancel: () => {
      leave();
      upload.cancel();
    },
    remove: () => {
      leave();
      upload.remove();
    },
    settled: async () => {
      await looking.current;
      return upload.settled();
    },
    /** What is about to be cut. */
    cropping,
    ratio: pictureRatios[purpose],
    limitBytes: uploadBytes[purpose],
    /** For one that is too large and could be made smaller. */
    shrink: shrinkable && (() => setCropping(shrinkable)),
    /** Ends the cutting with a picture that can be sent, or without one: then all is as it was. */
    endCropping: (made?: File) => {
      setCropping(undefined);
      if (!made) return;
      leave();
      upload.start(made);
    },
  };
}

const noHeic = 'This browser cannot read HEIC photos. Choose a JPEG, PNG, WebP or AVIF picture.';

/** A browser that does not know the type names none. */
const isHeic = ({ type, name }: File) => /^image\/hei[cf]$/.test(type) || (!type && /\.hei[cf]$/i.test(name));

function refusalOf(file: File, purpose: PicturePurpose, tooLarge: string): string | undefined {
  if (!pictureContentTypes.some((type) => type === file.type) && !isHeic(file))
    return 'Choose a JPEG, PNG, WebP or AVIF picture.';
  if (file.size === 0) return 'The file is empty.';
  if (isHeic(file)) return undefined;
  return file.size > uploadBytes[purpose] ? tooLarge : undefined;
}

function fits({ type }: File, { width, height }: PictureSize, ratio: number): boolean {
  const most = type === 'image/avif' ? mostAvifPixels : mostPixels;
  const isSmallEnough = width * height <= most && Math.max(width, height) <= longestSide;
  return isSmallEnough && Math.abs(width / height / ratio - 1) <= tolerance;
}
