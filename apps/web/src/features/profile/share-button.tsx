import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ShareIcon } from '../../ui/icons/icons.tsx';

/** Shares the page's address with the device's share sheet, or copies it if there is none. */
export function ShareButton({ name, what = 'profile' }: { name: string; what?: 'profile' | 'offering' }) {
  const [result, setResult] = useState<'copied' | 'failed'>();

  const share = async () => {
    const url = location.origin + location.pathname;
    // A live region announces the same text again only after it was empty.
    setResult(undefined);
    try {
      if (await handOver({ title: `${name} on Stoa`, url })) return;
      await navigator.clipboard.writeText(url);
      setResult('copied');
    } catch (error) {
      console.error(error);
      setResult('failed');
    }
  };

  return (
    <>
      <Button look="secondary" size="small" onClick={() => void share()}>
        <ShareIcon /> {result === 'copied' ? 'Link copied' : 'Share'}
      </Button>
      <span role="status" className={result === 'failed' ? 'text-danger text-sm font-medium' : 'sr-only'}>
        {result === 'copied' && `The link to this ${what} has been copied.`}
        {result === 'failed' && 'The link could not be copied. It is the address of this page.'}
      </span>
    </>
  );
}

/** Returns whether the share sheet was used. Closing the sheet is a choice, not a failure. */
async function handOver(data: ShareData): Promise<boolean> {
  if (!navigator.share) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
