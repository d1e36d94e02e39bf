import type { Creator } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { proofApi } from '../../api/account/proof-endpoints.ts';
import { useMe } from '../../auth/me.queries.ts';
import { Button } from '../../ui/button.tsx';

/** Asks a creator with an unconfirmed address to confirm it, and shows what waits for that. */
export function ProofNotice() {
  const me = useMe();
  return me.data?.emailVerified === false ? <Unproved {...me.data} /> : null;
}

function Unproved({ email, published, isPublic }: Creator) {
  const held = useQuery({
    queryKey: ['held-messages'],
    queryFn: ({ signal }) => proofApi.heldMessages(signal),
  });
  const mail = useMutation({ mutationFn: proofApi.sendProofMail });
  return (
    <section
      aria-labelledby="prove-address"
      className="bg-accent-soft border-line rounded-card grid gap-x-8 gap-y-2 border p-4 sm:grid-cols-[1fr_auto] sm:items-center sm:px-6"
    >
      <div>
        <h2 id="prove-address" className="text-lg">
          Prove your address{waiting(held.data?.count ?? 0)}
        </h2>
        <p className="text-sm leading-snug">
          To prove that <span className="[overflow-wrap:anywhere]">{email}</span> is your address, open the
          link that we mail to it: until then it gets no other mail from us
          {published && !isPublic ? ', and nobody but you sees your profile and your offerings.' : '.'}
        </p>
      </div>
      <Button
        look="secondary"
        size="small"
        className="justify-self-start"
        disabled={mail.isPending}
        onClick={() => mail.mutate()}
      >
        {mail.isPending ? 'Sending...' : 'Send the Mail Again'}
      </Button>
      <p role="status" className="text-sm empty:absolute sm:col-span-2">
        {mail.isSuccess && 'The mail is on its way.'}
        {mail.isError && messageFor(creatorErrorMessages.proofMail, mail.error)}
      </p>
    </section>
  );
}

function waiting(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ': 1 message waits' : `: ${count} messages wait`;
}
