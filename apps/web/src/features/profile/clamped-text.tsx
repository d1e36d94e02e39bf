import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';

interface ClampedTextProps {
  text: string;
  /** Whom or what the text is about. */
  of: string;
  /** How many lines a wider window shows; a phone shows one. */
  clamp: string;
  /** How many characters those lines hold at least. */
  wideLength: number;
  className?: string;
}

const phoneLength = 42;

/** The beginning of a text and a way to the rest, which the page has all along. */
export function ClampedText({ text, of, clamp, wideLength, className }: ClampedTextProps) {
  const [open, setOpen] = useState(false);
  const lines = text.split('\n').length;
  const isLong = text.length > phoneLength || lines > 1;
  const isLongEverywhere = text.length > wideLength || lines > 3;
  const closed = isLong && !open;
  return (
    <div className={classNames(className, closed && 'max-sm:flex max-sm:items-baseline max-sm:gap-2')}>
      <p dir="auto" className={classNames('min-w-0 whitespace-pre-line', closed && `line-clamp-1 ${clamp}`)}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classNames(
            'text-accent min-h-8 shrink-0 font-semibold',
            !isLongEverywhere && 'sm:hidden',
          )}
        >
          {open ? 'Less' : 'More'}
          <span className="sr-only"> about {of}</span>
        </button>
      )}
    </div>
  );
}
