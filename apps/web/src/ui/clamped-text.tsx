import { useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { ownWords } from './own-words.ts';

interface ClampedTextProps {
  text: string;
  /** Whom or what the text is about. */
  of: string;
  /** How many lines a wider window shows; a phone shows one. */
  clamp: string;
  /** How many characters those lines hold about. */
  wideLength: number;
  className?: string;
}

const phoneLength = 42;

/** The beginning of a text and a way to the rest, which the page has all along. */
export function ClampedText({ text, of, clamp, wideLength, className }: ClampedTextProps) {
  const [open, setOpen] = useState(false);
  // A guess by window until it is measured, which depends on the font and the script too: a page comes before its code.
  const [cut, setCut] = useState<boolean>();
  const lines = text.split('\n').length;
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
    <div className={classNames(className, !open && 'max-sm:flex max-sm:items-baseline max-sm:gap-2')}>
      <p
        ref={paragraph}
        {...ownWords(text)}
        className={classNames(
          'min-w-0 whitespace-pre-line',
          // A short paragraph would leave the one line of a phone nearly empty.
          !open && `line-clamp-1 max-sm:whitespace-normal ${clamp}`,
        )}
      >
        {text}
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
