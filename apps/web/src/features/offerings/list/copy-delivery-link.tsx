import type { Offering } from '@stoa/contracts';
import { useState } from 'react';
import { paths } from '../../../navigation/paths.ts';
import { CheckIcon, LinkIcon } from '../../../ui/icons/editor-icons.tsx';
import { useToast } from '../../../ui/overlays/toast.tsx';

/** Copies the link for buyers from an offering's row. */
export function CopyDeliveryLink({
  offering: { id, title, creatorId, deliveryKey },
}: {
  offering: Offering;
}) {
  const announce = useToast();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + paths.delivery(creatorId, id, deliveryKey));
      setCopied(true);
      announce('success', 'Delivery link copied.');
    } catch (error) {
      console.error(error);
      announce('failure', 'The link could not be copied. Open Edit to copy it.');
    }
  };
  return (
    <button
      type="button"
      title="Copy delivery link"
      onClick={() => void copy()}
      className="hover:bg-accent-soft hover:text-accent-strong grid size-11 shrink-0 place-items-center rounded-full transition-colors"
    >
      {copied ? <CheckIcon /> : <LinkIcon />}
      <span className="sr-only">Copy delivery link of {title}</span>
    </button>
  );
}
