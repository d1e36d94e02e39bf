import type { Offering } from '@stoa/contracts';
import { roomPaths } from '@stoa/contracts/preview-pages';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { CheckIcon, CopyIcon, RotateIcon } from '../../ui/icons/editor-icons.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { controlClass } from '../../ui/fields/control-class.ts';
import { useRotateKey } from './offerings.queries.ts';

interface Result {
  kind: 'copied' | 'done' | 'failed';
  text: string;
}

/** The address of an offering's download page, for buyers without an account. */
export function DeliveryLink({ offering }: { offering: Offering }) {
  const id = useId();
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="bg-surface border-line shadow-card rounded-card mt-12 grid gap-4 border p-5 sm:p-7"
    >
      <h2 id={`${id}-title`} className="text-2xl">
        Delivery
      </h2>
      {offering.sharedLink === false ? (
        <p className="text-muted">This link is turned off. Buyers need the link of their own sale.</p>
      ) : (
        <SharedLink offering={offering} />
      )}
      <p>
        <Link
          to={`${roomPaths.sales}?offering=${offering.id}`}
          className="text-accent font-semibold underline"
        >
          Add a sale with its own link
        </Link>
      </p>
    </section>
  );
}

/** The link that all buyers share. */
function SharedLink({ offering }: { offering: Offering }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState<Result>();
  const [asking, setAsking] = useState(false);
  const rotate = useRotateKey(offering.id);
  const link = location.origin + paths.delivery(offering.creatorId, offering.id, offering.deliveryKey);

  const copy = async () => {
    // A live region announces the same text again only after it was empty.
    setResult(undefined);
    try {
      await navigator.clipboard.writeText(link);
      setResult({ kind: 'copied', text: 'Link copied.' });
    } catch {
      // Without clipboard permission, the user can copy the selected text with one key.
      input.current?.select();
      setResult({ kind: 'failed', text: 'The link could not be copied. It is selected: copy it by hand.' });
    }
  };
  const replace = async () => {
    try {
      await rotate.mutateAsync();
      setResult({ kind: 'done', text: 'The link was replaced. The old one no longer works.' });
    } catch (error) {
      setResult({ kind: 'failed', text: messageFor(creatorErrorMessages.deliveryKey, error) });
    }
    setAsking(false);
  };
  return (
    <>
      <p id={`${id}-hint`} className="text-muted">
        Paste this link into your payment provider’s thank-you redirect, so that buyers reach their download
        without an account.
      </p>
      <label htmlFor={id} className="font-semibold">
        Delivery link
      </label>
      <input
        ref={input}
        id={id}
        readOnly
        value={link}
        aria-describedby={`${id}-hint`}
        onFocus={(event) => event.target.select()}
        className={`${controlClass} -mt-2.5 font-mono text-sm text-ellipsis`}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="secondary" size="small" onClick={() => void copy()}>
          {result?.kind === 'copied' ? <CheckIcon /> : <CopyIcon />} Copy link
        </Button>
        <Button look="quiet" size="small" onClick={() => setAsking(true)}>
          <RotateIcon /> Rotate link
        </Button>
        <p
          role="status"
          className={`text-sm font-medium ${result?.kind === 'failed' ? 'text-danger' : 'text-success'}`}
        >
          {result?.text}
        </p>
      </div>
      <ConfirmDialog
        open={asking}
        title="Rotate the delivery link?"
        text="You get a new link, and old links stop working at once, also for people who have paid. Remember to change it at your payment provider."
        confirmLabel="Rotate link"
        busyLabel="Rotating..."
        busy={rotate.isPending}
        onConfirm={() => void replace()}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
