import type { ReactNode } from 'react';
import { Message } from '../ui/notice.tsx';
import type { FieldErrors } from './use-form.ts';

interface FormStatusProps {
  errors: FieldErrors;
  failure?: string;
  success?: ReactNode;
}

/** The only live region of a form. It announces errors once, or the success. */
export function FormStatus({ errors, failure, success }: FormStatusProps) {
  const messages = [...new Set(Object.values(errors))];
  return (
    <>
      <div role="alert" className="empty:absolute">
        {failure && <Message kind="failure">{failure}</Message>}
        {!failure && messages.length > 0 && (
          <p className="sr-only">{`Please check the form. ${messages.join(' ')}`}</p>
        )}
      </div>
      <div role="status" className="empty:absolute">
        {success && <Message kind="success">{success}</Message>}
      </div>
    </>
  );
}

interface RestoredDraftNoticeProps {
  shown: boolean;
  /** What the draft could not keep, such as a file. */
  missing?: string | undefined;
  /** What the form does with its text. */
  undone?: 'saved' | 'sent';
}

/** Explains that a draft was restored, after a log-in or a reload. */
export function RestoredDraftNotice({ shown, missing, undone = 'saved' }: RestoredDraftNoticeProps) {
  return (
    <div role="status" className="empty:absolute">
      {shown && (
        <Message kind="success">
          What you typed before is here again. It is not {undone} yet.
          {missing && ` Choose ${missing} again.`}
        </Message>
      )}
    </div>
  );
}
