import type { Thumbnail as PictureFacts } from '@stoa/contracts';
import { pictureSrcset, pictureUrl } from '@stoa/contracts/picture-url';
import { createContext, useContext, useEffect, useState } from 'react';
import { classNames } from '../class-names.ts';

/** The base address of the encoded pictures. */
export const MediaUrl = createContext('');

/** Reads a picture that its public address refuses; undefined if the user may not see it either. */
type ReadPreview = (id: string) => Promise<string | undefined>;
export const PreviewReader = createContext<ReadPreview | undefined>(undefined);

interface PictureProps {
  picture: PictureFacts;
  alt: string;
  sizes: string;
  /**
   * Set for the largest picture of the first screen. It loads immediately and before all others, as the
   * page's head preloads it.
   */
  eager?: boolean;
  className?: string;
}

/**
 * Fills its box, whose ratio the caller sets, and shows the picture's colour until it has loaded. A
 * transparent picture gets a ground on which both white and black are visible.
 */
export function Picture(props: PictureProps) {
  // A new picture in the same place must not inherit the failure of the previous one.
  return <PictureFile key={props.picture.path} {...props} />;
}

function PictureFile({ picture, alt, sizes, eager = false, className }: PictureProps) {
  const base = useContext(MediaUrl);
  const [failed, setFailed] = useState(false);
  const readPreview = useContext(PreviewReader);
  const [preview, setPreview] = useState<string>();
  const id = 'id' in picture ? String(picture.id) : undefined;
  useEffect(() => {
    if (!failed || id === undefined) return;
    let isShown = true;
    void readPreview?.(id).then((url) => isShown && setPreview(url));
    return () => {
      isShown = false;
    };
  }, [failed, id, readPreview]);
  const isMissing = failed && preview === undefined;

  // The policy forbids style attributes in HTML, but scripts may set styles.
  const arrive = (image: HTMLImageElement | null) => {
    if (!image) return;
    if (!picture.isTransparent) image.style.backgroundColor = picture.color;
    // The picture failed before the error listener existed.
    if (image.complete && image.naturalWidth === 0) setFailed(true);
  };

  return (
    <picture>
      {!failed && <source type="image/avif" srcSet={pictureSrcset(base, picture)} sizes={sizes} />}
      {/* The WebP is a fallback for browsers older than the supported ones. A `srcset` of its widths would
          lengthen long lists. */}
      <img
        ref={arrive}
        src={preview ?? pictureUrl(base, picture)}
        alt={isMissing ? '' : alt}
        width={picture.width}
        height={picture.height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'low'}
        decoding="async"
        onError={() => setFailed(true)}
        className={classNames(
          'h-full w-full object-cover',
          picture.isTransparent && 'behind-transparent',
          isMissing && 'text-transparent',
          className,
        )}
      />
    </picture>
  );
}
