/** Pixels, with the orientation applied. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Enough for any screen. A phone has memory for two such pictures, but not for a 48-megapixel photo of 200
 * MB.
 */
const workingPixels = 12_000_000;
const longestSide = 8192;

/** Reads a picture's size from its header, without decoding it; undefined if this browser cannot read it. */
export async function measurePicture(file: Blob): Promise<PictureSize | undefined> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = address;
    });
    const { naturalWidth: width, naturalHeight: height } = image;
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export const canMeasure = (): boolean => typeof createImageBitmap === 'function';

/** The size at which a picture is edited: its own, or smaller to fit a phone's memory. */
export function workingSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(
    1,
    Math.sqrt(workingPixels / (width * height)),
    longestSide / Math.max(width, height),
  );
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Decodes the picture at its working size, with the orientation applied. */
export async function decodePicture(file: Blob, size: PictureSize): Promise<ImageBitmap> {
  const { width, height } = workingSize(size);
  return createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  });
}
