import { type ComponentType, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { ownWords } from './own-words.ts';

interface ClampedTextProps {
  text: string;
  /** The subject of the text, for the button's accessible name. */
  of: string;
  /** The class that limits the lines in a wider window. A phone shows one line. */
  clamp: string;
  /** About how many characters those lines hold. */
  wideLength: number;
  className?: string;
  /** Shows the text in another form of about the same length. */
  Words?: ComponentType<{ text: string }>;
}

const phoneLength = 42;

/** The beginning of a text, and a button for the rest, which is always part of the page. */
export function ClampedText({ text, of, clamp, wideLength, className, Words }: ClampedTextProps) {
  const [open, setOpen] = useState(false);
  // Guessed from the length until it is measured, since the page shows before its code runs. The real cut
  // depends on font and script.
  const [cut, setCut] = useState<boolean>();
  const lines = text.split(/\n+/).length;
  const isCut = cut ?? (text.length > phoneLength || lines > 3);
  const isCutWide = cut ?? (text.length > wideLength || lines > 3);
  const paragraph = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const element = paragraph.current;
    if (open || !element) return;
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, open]);
  return (
    <div
      className={classNames(className, !open && 'is-clamped max-sm:flex max-sm:items-baseline max-sm:gap-2')}
    >
      <p
        ref={paragraph}
        {...ownWords(text)}
        className={classNames(
          'min-w-0 whitespace-pre-line',
          // Line breaks would leave the single line of a phone nearly empty.
          !open && `line-clamp-1 max-sm:whitespace-normal ${clamp}`,
        )}
      >
        {Words ? <Words text={text} /> : text}
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classNames('text-accent min-h-8 shrink-0 font-semibold', !isCutWide && 'sm:hidden')}
        >
          {open ? 'Less' : 'More'}
          <span className="sr-only"> about {of}</span>
        </button>
      )}
    </div>
  );
}
