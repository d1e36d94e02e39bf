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

/** Greets a creator who comes back from a new login. */
/** `missing` names what could not be kept over the log-in. */
export function RestoredDraftNotice({ shown, missing }: { shown: boolean; missing?: string | undefined }) {
  return (
    <div role="status" className="empty:hidden">
      {shown && (
        <Message kind="success">
          What you typed before is here again. It is not saved yet.
          {missing && ` Choose ${missing} again.`}
        </Message>
      )}
    </div>
  );
}
