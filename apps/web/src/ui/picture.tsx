import type { Thumbnail as PictureFacts } from '@stoa/contracts';
import { createContext, useContext, useEffect, useState } from 'react';
import { classNames } from './class-names.ts';

/** Address below which the re-encoded pictures lie. */
export const MediaUrl = createContext('');

/** Reads a picture that its public address refuses; nothing where the reader may not see it either. */
type ReadPreview = (id: string) => Promise<string | undefined>;
export const PreviewReader = createContext<ReadPreview | undefined>(undefined);

interface PictureProps {
  picture: PictureFacts;
  alt: string;
  sizes: string;
  /** The one that fills most of a first screen is fetched at once and before all others, as the page's head names it. */
  eager?: boolean;
  className?: string;
}

/**
 * Fills its box, whose ratio the caller fixes, and shows the picture's own colour until it is there. A transparent one stands on
 * a ground from which white and black stand out alike.
 */
export function Picture(props: PictureProps) {
  // Another picture in the same place may be there where the one before was not.
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
  const widths = picture.widths.toSorted((a, b) => a - b);
  const file = (name: string) => `${base}/${picture.path}/${name}`;
  const set = widths.map((width) => `${file(`${width}.avif`)} ${width}w`).join(', ');

  // No attribute: the policy lets scripts style the page, not its text.
  const arrive = (image: HTMLImageElement | null) => {
    if (!image) return;
    if (!picture.isTransparent) image.style.backgroundColor = picture.color;
    // It went wrong before there was anybody to hear of it.
    if (image.complete && image.naturalWidth === 0) setFailed(true);
  };

  return (
    <picture>
      {!failed && <source type="image/avif" srcSet={set} sizes={sizes} />}
      {/* The WebP is for browsers older than those that the site is built for; its widths would make long lists longer. */}
      <img
        ref={arrive}
        src={preview ?? file(`${Math.max(...widths)}.webp`)}
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
