import { useState } from 'react';
import { Button } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons/editor-icons.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  /** The name of the copied text. */
  what?: string;
}

/** Copies a text to the clipboard, and shows whether that worked. */
export function CopyButton({ text, label, what = 'Link' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const copy = async () => {
    // A live region announces the same text again only after it was empty.
    setResult(undefined);
    try {
      await navigator.clipboard.writeText(text);
      setResult('copied');
    } catch (error) {
      console.error(error);
      setResult('failed');
    }
  };
  return (
    <>
      <Button look="secondary" size="small" onClick={() => void copy()}>
        {result === 'copied' ? <CheckIcon /> : <CopyIcon />} {label}
      </Button>
      <span
        role="status"
        className={
          // In its own row below the buttons, since an address is long.
          result === 'failed'
            ? 'text-danger order-last basis-full text-sm font-medium wrap-anywhere'
            : 'sr-only'
        }
      >
        {result === 'copied' && `${what} copied.`}
        {result === 'failed' && `The ${what.toLowerCase()} could not be copied: ${text}`}
      </span>
    </>
  );
}
