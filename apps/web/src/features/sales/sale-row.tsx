import type { Sale } from '@stoa/contracts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';
import { canBeRenewed, dayOf, limitsOf, stateOf } from './sale-facts.ts';

interface SaleRowProps {
  sale: Sale;
  title: string;
  onRenew: () => void;
  onClose: () => void;
}

export function SaleRow({ sale, title, onRenew, onClose }: SaleRowProps) {
  const { provider, transactionId, createdAt, state } = sale;
  const { label, opens } = stateOf(sale);
  const of = <span className="sr-only"> of {transactionId}</span>;
  return (
    <li className="border-line flex flex-wrap items-center gap-x-6 gap-y-2 border-t py-3">
      <div className="min-w-0 basis-full sm:flex-1 sm:basis-0">
        <h3 className="font-sans text-base leading-snug font-semibold tracking-normal wrap-anywhere">
          {transactionId}
        </h3>
        <p className="text-muted text-sm wrap-anywhere">
          <PersonalWords text={title} />
          {provider && ` · ${provider}`} · <time dateTime={createdAt}>{dayOf(createdAt)}</time>
        </p>
        <p className="text-sm">
          <span className={classNames('font-semibold', opens ? 'text-success' : 'text-muted')}>{label}</span>
          <span className="text-muted"> · {limitsOf(sale)}</span>
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {canBeRenewed(sale) && (
          <Button look="secondary" size="small" onClick={onRenew}>
            {state === 'disputed' ? 'Open again' : 'New link'}
            {of}
          </Button>
        )}
        {canBeRenewed(sale) && (
          <Button look="quiet" size="small" onClick={onClose}>
            Close{of}
          </Button>
        )}
      </div>
    </li>
  );
}
