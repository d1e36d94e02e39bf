import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ShareIcon } from '../../ui/icons.tsx';

/** Hands the page's address to the device's share sheet, or to the clipboard where there is none. */
export function ShareButton({ name }: { name: string }) {
  const [copied, setCopied] = useState(false);

  const share = async () => {
    const url = location.origin + location.pathname;
    try {
      if (navigator.share) {
        await navigator.share({ title: `${name} on Stoa`, url });
        return;
      }
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch (error) {
      // Closing the share sheet is a choice, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) console.error(error);
    }
  };

  return (
    <>
      <Button look="secondary" size="small" onClick={() => void share()}>
        <ShareIcon /> {copied ? 'Link copied' : 'Share'}
      </Button>
      <span role="status" className="sr-only">
        {copied && 'The link to this profile has been copied.'}
      </span>
    </>
  );
}
