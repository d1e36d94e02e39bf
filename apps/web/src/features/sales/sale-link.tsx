import type { Offering } from '@stoa/contracts';
import { useId, useRef } from 'react';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { controlClass } from '../../ui/fields/control-class.ts';
import { Modal } from '../../ui/overlays/modal.tsx';

export interface NewLink {
  readonly offering: Pick<Offering, 'id' | 'creatorId'>;
  readonly key: string;
}

/** Shows the link of a sale, which no page can show again. */
export function SaleLink({
  offering,
  saleKey,
  onClose,
}: {
  offering: NewLink['offering'];
  saleKey: string;
  onClose: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const link = location.origin + paths.delivery(offering.creatorId, offering.id, saleKey);
  return (
    <Modal
      title="The buyer’s link"
      description="Copy it now and send it to the buyer: we keep no copy and cannot show it again."
      first={field}
      onCancel={onClose}
      onClosed={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      className="max-w-lg p-6 sm:p-7"
    >
      <div className="mt-5 grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          Link of this sale
        </label>
        <input
          ref={field}
          id={id}
          readOnly
          value={link}
          onFocus={({ target }) => target.select()}
          className={`${controlClass} font-mono text-sm text-ellipsis`}
        />
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CopyButton label="Copy link" text={link} />
        <Button size="small" onClick={onClose}>
          Done
        </Button>
      </div>
    </Modal>
  );
}
