import { Message } from '../ui/notice.tsx';
import type { FieldErrors } from './use-form.ts';

interface FormStatusProps {
  errors: FieldErrors;
  failure?: string;
  success?: string;
}

/** The one live region of a form: what went wrong, said once, or that it went well. */
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
  /** What could not be kept. */
  missing?: string | undefined;
  /** What the form does with its words. */
  undone?: 'saved' | 'sent';
}

/** Greets a reader whose words are in the form again, after a log-in or a page that was loaded anew. */
export function RestoredDraftNotice({ shown, missing, undone = 'saved' }: RestoredDraftNoticeProps) {
  return (
    <div role="status" className="empty:hidden">
      {shown && (
        <Message kind="success">
          What you typed before is here again. It is not {undone} yet.
          {missing && ` Choose ${missing} again.`}
        </Message>
      )}
    </div>
  );
}
