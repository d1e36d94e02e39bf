import type { Guideline, ReviewCase, ReviewDecision } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { type ChangeEvent, useState } from 'react';
import { messageFor } from '../../api/messages.ts';
import { reviewErrorMessages } from '../../api/review-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { SelectField, TextArea } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useDecision } from './review.queries.ts';

type Decision = ReviewDecision['decision'];

const words: Record<Decision, { label: string; done: string }> = {
  hide: { label: 'Hide', done: 'It is hidden, and its creator is told why.' },
  dismiss: { label: 'Dismiss', done: 'The reports are dismissed.' },
  uphold: { label: 'Keep It Hidden', done: 'The appeal is refused.' },
  restore: { label: 'Restore', done: 'It is shown again.' },
};

const possible: Record<ReviewCase['status'], readonly Decision[]> = {
  open: ['hide', 'dismiss'],
  appealed: ['restore', 'uphold'],
  hidden: ['restore'],
  upheld: ['restore'],
  dismissed: [],
  restored: [],
};

/** The decisions that a case can take now. What is hidden has a reason, which its creator reads. */
export function DecisionForm({
  reviewed: { id, status, offering, displayName, steps },
}: {
  reviewed: ReviewCase;
}) {
  const [reason, setReason] = useState<Guideline>(
    () => steps.find((step) => step.reason)?.reason ?? 'impersonation',
  );
  const [text, setText] = useState('');
  const decision = useDecision(id);
  const announce = useToast();
  const decisions = possible[status];
  if (decisions.length === 0) return null;

  const decide = (chosen: Decision) =>
    decision.mutate(
      { decision: chosen, text: text.trim(), ...(chosen === 'hide' && { reason }) },
      { onSuccess: () => announce('success', words[chosen].done) },
    );
  const name = offering?.title ?? displayName;
  return (
    <div className="border-line mt-4 grid gap-4 border-t pt-6">
      {decisions.includes('hide') && (
        <SelectField
          label="Guideline"
          value={reason}
          disabled={decision.isPending}
          onChange={({ target }: ChangeEvent<HTMLSelectElement>) => setReason(target.value as Guideline)}
        >
          {Object.entries(guidelineLabels).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      <TextArea
        label="Words to the creator"
        hint="They read this with the guideline."
        rows={3}
        maxLength={limits.reportLength}
        value={text}
        disabled={decision.isPending}
        onChange={({ target }) => setText(target.value)}
      />
      <div role="alert" className="empty:hidden">
        {decision.error && (
          <Message kind="failure">{messageFor(reviewErrorMessages.decision, decision.error)}</Message>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {decisions.map((one, index) => (
          <Button
            key={one}
            look={index === 0 ? 'primary' : 'secondary'}
            disabled={decision.isPending}
            onClick={() => decide(one)}
          >
            {words[one].label}
            <span className="sr-only"> {name}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}
