import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ShareIcon } from '../../ui/icons.tsx';

/** Hands the page's address to the device's share sheet, or to the clipboard where there is none. */
export function ShareButton({ name, what = 'profile' }: { name: string; what?: 'profile' | 'offering' }) {
  const [told, setTold] = useState<'copied' | 'failed'>();

  const share = async () => {
    const url = location.origin + location.pathname;
    // The same words again are news only after they were gone.
    setTold(undefined);
    try {
      if (await handOver({ title: `${name} on Stoa`, url })) return;
      await navigator.clipboard.writeText(url);
      setTold('copied');
    } catch (error) {
      console.error(error);
      setTold('failed');
    }
  };

  return (
    <>
      <Button look="secondary" size="small" onClick={() => void share()}>
        <ShareIcon /> {told === 'copied' ? 'Link copied' : 'Share'}
      </Button>
      <span role="status" className={told === 'failed' ? 'text-danger text-sm font-medium' : 'sr-only'}>
        {told === 'copied' && `The link to this ${what} has been copied.`}
        {told === 'failed' && 'The link could not be copied. It is the address of this page.'}
      </span>
    </>
  );
}

/** Whether the share sheet has taken care of it. Closing the sheet is a choice, not a failure. */
async function handOver(data: ShareData): Promise<boolean> {
  if (!navigator.share) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
