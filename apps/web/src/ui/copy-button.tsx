import { useState } from 'react';
import { Button } from './button.tsx';
import { CheckIcon, CopyIcon } from './editor-icons.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  /** What is copied. */
  what?: string;
}

/** Puts a text on the clipboard, and says whether it is there. */
export function CopyButton({ text, label, what = 'Link' }: CopyButtonProps) {
  const [told, setTold] = useState<'copied' | 'failed'>();
  const copy = async () => {
    // The same words again are news only after they were gone.
    setTold(undefined);
    try {
      await navigator.clipboard.writeText(text);
      setTold('copied');
    } catch (error) {
      console.error(error);
      setTold('failed');
    }
  };
  return (
    <>
      <Button look="secondary" size="small" onClick={() => void copy()}>
        {told === 'copied' ? <CheckIcon /> : <CopyIcon />} {label}
      </Button>
      <span role="status" className={told === 'failed' ? 'text-danger text-sm font-medium' : 'sr-only'}>
        {told === 'copied' && `${what} copied.`}
        {told === 'failed' && `The ${what.toLowerCase()} could not be copied: ${text}`}
      </span>
    </>
  );
}
