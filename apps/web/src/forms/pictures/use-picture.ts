import { pictureContentTypes, type Picture, uploadBytes, type PicturePurpose } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { canMeasure, measurePicture, type PictureSize } from './picture-decoding.ts';
import { pictureTypeOf } from './picture-type.ts';
import { uploadPicture } from '../uploads/upload.ts';
import { useUpload } from '../uploads/use-upload.ts';

/** Width divided by height of each displayed picture. */
export const pictureRatios: Readonly<Record<PicturePurpose, number>> = {
  'profile-picture': 1,
  'offering-cover': 3 / 2,
  'profile-header': 3,
};
/** A picture whose ratio differs by less is sent without cropping. */
const tolerance = 0.03;
/** The limits of the media service. Larger pictures are made smaller here. */
const maxPixels = 40_000_000;
const maxAvifPixels = 24_000_000;
const longestSide = 16_384;
/** More than any camera produces. Decoding such a picture could crash the browser. */
const maxReadablePixels = 120_000_000;

interface PictureOptions {
  purpose: PicturePurpose;
  tooLarge: string;
  /** Runs with the finished upload, and with null after the picture is removed. */
  onChange: (picture: Picture | null) => void;
}

/** A chosen file that must be cropped and made smaller before the upload. */
export interface Cropping {
  readonly file: File;
  readonly size: PictureSize;
}

export type PictureUpload = ReturnType<typeof usePicture>;

/**
 * One picture of a form. Its bytes decide its type. A picture that is too large or has another shape is
 * cropped and made smaller.
 */
export function usePicture({ purpose, tooLarge, onChange }: PictureOptions) {
  const upload = useUpload<Picture>({
    send: (file, onProgress, signal) => uploadPicture(purpose, file, onProgress, signal),
    words: creatorErrorMessages.upload,
    onChange,
  });
  const [cropping, setCropping] = useState<Cropping>();
  const isCropping = useRef(false);
  const measuring = useRef<Promise<void>>(undefined);
  const chosen = useRef<File>(undefined);

  useEffect(
    () => () => {
      chosen.current = undefined;
    },
    [],
  );

  function crop(next: Cropping | undefined): void {
    isCropping.current = next !== undefined;
    setCropping(next);
  }

  async function look(given: File): Promise<void> {
    const type = await pictureTypeOf(given).catch(() => undefined);
    // Browsers go by the type, which some of them leave empty.
    const file = type && type !== given.type ? new File([given], given.name, { type }) : given;
    const isHeic = type === 'image/heic' || claimsHeic(given);
    const isTooLarge = file.size > uploadBytes[purpose];
    const size = (type || isHeic) && canMeasure() ? await measurePicture(file) : undefined;
    // Another file was chosen during the read, or the choice was cancelled.
    if (chosen.current !== given) return;
    const readable = size && size.width * size.height <= maxReadablePixels;
    if (readable && (isHeic || isTooLarge || !fits(file, size, pictureRatios[purpose]))) crop({ file, size });
    else if (isHeic) upload.refuse(noHeic);
    else if (isTooLarge && (type || claimsPicture(given))) upload.refuse(tooLarge);
    else if (!type) upload.refuse(claimsPicture(given) ? noPicture : otherType);
    else upload.start(file);
  }

  function choose(file: File): void {
    chosen.current = file;
    crop(undefined);
    if (file.size === 0) upload.refuse('The file is empty.');
    else measuring.current = look(file);
  }

  const leave = () => {
    chosen.current = undefined;
    crop(undefined);
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
      await measuring.current;
      return !isCropping.current && upload.settled();
    },
    /** The file in the crop dialog. */
    cropping,
    ratio: pictureRatios[purpose],
    limitBytes: uploadBytes[purpose],
    tooLarge,
    /** Ends the cropping with a file to send, or without one, which changes nothing. */
    endCropping: (made?: File) => {
      const isTooLarge = (cropping?.file.size ?? 0) > uploadBytes[purpose];
      leave();
      if (made) upload.start(made);
      else if (isTooLarge) upload.refuse(tooLarge);
    },
  };
}

const noHeic = 'This browser cannot read HEIC photos. Choose a JPEG, PNG, WebP or AVIF picture.';

const otherType = 'Choose a JPEG, PNG, WebP or AVIF picture.';
const noPicture = `This file is not a picture we can read. ${otherType}`;

/** A browser that does not know the type leaves it empty. */
const claimsHeic = ({ type, name }: File) =>
  /^image\/hei[cf]$/.test(type) || (!type && /\.hei[cf]$/i.test(name));
const claimsPicture = ({ type }: File) => pictureContentTypes.some((one) => one === type);

function fits({ type }: File, { width, height }: PictureSize, ratio: number): boolean {
  const most = type === 'image/avif' ? maxAvifPixels : maxPixels;
  const isSmallEnough = width * height <= most && Math.max(width, height) <= longestSide;
  return isSmallEnough && Math.abs(width / height / ratio - 1) <= tolerance;
}
