import type { SecondFactor } from '@stoa/contracts';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import type { AskedChange } from '../../auth/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { useSecondFactors } from './second-factors.queries.ts';

const kinds: Record<SecondFactor['kind'], string> = {
  authenticator: 'Authenticator app',
  passkey: 'Passkey',
  recovery_codes: 'Recovery codes',
};

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

interface SecondFactorListProps {
  busy: boolean;
  onChange: (change: AskedChange) => void;
}

/** The account's second factors. Links lead to the sign-in server's page that removes them. */
export function SecondFactorList({ busy, onChange }: SecondFactorListProps) {
  const { data, error, isError, refetch } = useSecondFactors();
  return (
    <div className="border-line border-t pt-3 pb-1">
      <h3 id="second-factors" className="font-sans text-base font-semibold tracking-normal">
        Your Second Steps
      </h3>
      {data ? (
        data.items.length === 0 ? (
          <p className="text-muted text-sm">None yet: your password alone opens your account.</p>
        ) : (
          <ul aria-labelledby="second-factors" className="divide-line divide-y">
            {data.items.map((factor) => (
              <Row
                key={factor.id}
                factor={factor}
                busy={busy}
                onRemove={() => onChange(`delete_credential:${factor.id}`)}
              />
            ))}
          </ul>
        )
      ) : isError ? (
        <div className="mt-4">
          <ErrorState
            title={messageFor(creatorErrorMessages.secondFactors, error)}
            reference={referenceOf(error)}
            onRetry={() => void refetch()}
          />
        </div>
      ) : (
        <div className="mt-4">
          <LoadingText>Loading your second steps...</LoadingText>
          <Skeleton className="h-16" />
        </div>
      )}
    </div>
  );
}

interface RowProps {
  factor: SecondFactor;
  busy: boolean;
  onRemove: () => void;
}

function Row({ factor: { kind, name, addedAt }, busy, onRemove }: RowProps) {
  const called = name && name !== kinds[kind] ? `${kinds[kind]} “${name}”` : kinds[kind];
  return (
    <li className="grid gap-4 py-4 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-8">
      <p className="[overflow-wrap:anywhere]">
        {called}
        {addedAt && <span className="text-muted block">Added {date.format(new Date(addedAt))}</span>}
      </p>
      <Button
        look="secondary"
        size="small"
        className="sm:min-w-44"
        aria-label={`Remove ${called}`}
        disabled={busy}
        onClick={onRemove}
      >
        Remove
      </Button>
    </li>
  );
}
