import type { Guideline, ReviewCase, ReviewDecision } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/http.ts';
import { messageFor } from '../../api/messages.ts';
import { reviewErrorMessages } from '../../api/review/review-messages.ts';
import { useSession } from '../../auth/session.ts';
import { dropDraft, readDraft, registerDraft } from '../../browser/drafts.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import { RestoredDraftNotice } from '../../forms/form-status.tsx';
import { FreshLogin, useFreshLogin } from '../../forms/fresh-login.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import { takeFocus } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Message } from '../../ui/notice.tsx';
import { SelectField, TextArea } from '../../ui/fields/text-field.tsx';
import { useToast } from '../../ui/overlays/toast.tsx';
import type { DecisionPace } from './decision-pace.ts';
import { useDecision } from './review.queries.ts';

type Decision = ReviewDecision['decision'];

interface Words {
  reason: Guideline;
  text: string;
}

const words: Record<Decision, { label: string; done: string }> = {
  hide: { label: 'Hide', done: 'It is hidden. Its creator gets the reason.' },
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

/** The decisions that are possible for a case. Hiding needs a reason, which the creator reads. */
export function DecisionForm({
  reviewed: { id, status, offering, displayName, steps },
  pace,
}: {
  reviewed: ReviewCase;
  pace: DecisionPace;
}) {
  const { reason, text, change, forget, restored } = useDecisionDraft(id, {
    reason: steps.find((step) => step.reason)?.reason ?? 'impersonation',
    text: '',
  });
  const decision = useDecision(id, forget);
  const freshLogin = useFreshLogin();
  const announce = useToast();
  const form = useRef<HTMLDivElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const tooLong = isTooLong(text.trim(), limits.reportLength);
  const refusedFields = decision.error instanceof ApiError ? decision.error.fields : [];
  const refused = refusedFields.find((one) => one.field === 'text')?.message;
  useEffect(() => {
    if (refused) takeFocus(form.current);
  }, [refused]);
  const decisions = possible[status];
  if (decisions.length === 0) return null;

  const decide = async (chosen: Decision) => {
    if (tooLong) return form.current?.querySelector('textarea')?.focus();
    if (pace.isTooSoon()) return;
    pace.decided();
    try {
      // Not handled in the form's callbacks, since the form disappears with its case.
      const sending = decision.mutateAsync({
        decision: chosen,
        text: text.trim(),
        ...(chosen === 'hide' && { reason }),
      });
      await freshLogin.noticed(sending);
      announce('success', words[chosen].done);
    } catch {
      // The error appears beside the buttons.
    } finally {
      // After a slow answer the list moves only now.
      pace.decided();
    }
  };
  const name = offering?.title ?? displayName;
  return (
    <div ref={form} className="border-line mt-4 grid gap-4 border-t pt-6">
      <RestoredDraftNotice shown={restored} />
      {decisions.includes('hide') && (
        <SelectField
          label="Guideline"
          value={reason}
          disabled={decision.isPending}
          onChange={({ target }: ChangeEvent<HTMLSelectElement>) =>
            change({ reason: target.value as Guideline })
          }
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
        hint={
          <>
            They read this with the guideline. <CharacterCount text={text} max={limits.reportLength} />
          </>
        }
        rows={3}
        value={text}
        error={tooLong ? `Must be at most ${limits.reportLength} characters.` : refused}
        disabled={decision.isPending}
        onChange={({ target }) => {
          change({ text: target.value });
          // An error about the previous text does not apply to the new one.
          if (refused) decision.reset();
        }}
      />
      <div role="alert" className="empty:absolute">
        {decision.error && (
          <Message kind="failure">{messageFor(reviewErrorMessages.decision, decision.error)}</Message>
        )}
      </div>
      <FreshLogin
        {...freshLogin}
        purpose="decision"
        title="Log in again to decide"
        text="Your password shows that it is you who decides. What you typed is kept: decide once you are back."
      />
      <div className="flex flex-wrap gap-3">
        {decisions.map((one, index) => (
          <Button
            key={one}
            look={index === 0 ? 'primary' : 'secondary'}
            disabled={decision.isPending}
            onClick={() => (one === 'hide' && !tooLong ? setIsAsking(true) : void decide(one))}
          >
            {words[one].label}
            <span className="sr-only"> {name}</span>
          </Button>
        ))}
      </div>
      <ConfirmDialog
        open={isAsking}
        title={`Hide “${name}”?`}
        text={
          offering
            ? 'Visitors lose its page and its downloads within seconds. Its creator gets a mail with the reason.'
            : 'Visitors lose the profile and every offering within seconds. Its creator gets a mail with the reason.'
        }
        confirmLabel="Hide It"
        onConfirm={() => {
          setIsAsking(false);
          void decide('hide');
        }}
        onCancel={() => setIsAsking(false)}
      />
    </div>
  );
}

/** The draft of a decision, which survives a log-in. */
function useDecisionDraft(caseId: string, initial: Words) {
  const session = useSession();
  // Another user may log in next in this tab. The key keeps the user whose draft this is, even after the
  // session ended.
  const [key] = useState(() => `decision.${session.status === 'signed-in' ? session.uid : ''}.${caseId}`);
  const [draft] = useState(() => readDraft<Words>(key));
  const [changed, setChanged] = useState<Partial<Words> | undefined>(draft);
  const values = { ...initial, ...changed };
  const { reason, text } = values;
  const isChanged = changed !== undefined;
  useEffect(() => {
    dropDraft(key);
    return registerDraft(key, () => (isChanged ? { reason, text } : undefined));
  }, [key, isChanged, reason, text]);
  return {
    ...values,
    change: (made: Partial<Words>) => setChanged({ ...values, ...made }),
    forget: () => setChanged(undefined),
    restored: draft !== undefined && isChanged,
  };
}
