import type { SaleClosing } from '@stoa/contracts';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

type Reason = SaleClosing['state'];

const reasons: readonly (readonly [Reason, string])[] = [
  ['refunded', 'The buyer got the money back.'],
  ['disputed', 'The buyer disputes the payment. If you win, you can open the sale again.'],
  ['revoked', 'The link leaked, or the sale was a mistake.'],
];

interface CloseSaleProps {
  isDisputed: boolean;
  busy: boolean;
  onConfirm: (reason: Reason) => void;
  onCancel: () => void;
}

/** Asks for the reason, and whether the link should really stop working. */
export function CloseSale({ isDisputed, busy, onConfirm, onCancel }: CloseSaleProps) {
  const choices = reasons.filter(([value]) => !(isDisputed && value === 'disputed'));
  const [reason, setReason] = useState<Reason>('refunded');
  return (
    <ConfirmDialog
      open
      title="Close this sale?"
      text={
        <>
          <p>The buyer’s link stops working at once. Links of other sales still work.</p>
          <fieldset className="mt-4 grid gap-1">
            <legend className="text-ink mb-1 font-semibold">Why?</legend>
            {choices.map(([value, words]) => (
              <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={reason === value}
                  onChange={() => setReason(value)}
                  className="size-4 shrink-0 accent-(--accent)"
                />
                <span>{words}</span>
              </label>
            ))}
          </fieldset>
        </>
      }
      confirmLabel="Close Sale"
      busyLabel="Closing..."
      busy={busy}
      onConfirm={() => onConfirm(reason)}
      onCancel={onCancel}
    />
  );
}
