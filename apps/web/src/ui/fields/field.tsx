import { type ReactNode, useId } from 'react';

interface ControlProps {
  id: string;
  required: boolean | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  required?: boolean;
  hint?: ReactNode;
  error?: string;
  children: (control: ControlProps) => ReactNode;
}

/** The label, hint and error around one control. */
export function Field({ label, required, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} required={required} />
      {children({ id, required, 'aria-invalid': Boolean(error), 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

interface FieldLabelProps extends Pick<FieldProps, 'label' | 'required'> {
  /** The id of the control. */
  id: string;
}

export function FieldLabel({ id, label, required }: FieldLabelProps) {
  return (
    <label id={`${id}-label`} htmlFor={id} className="font-semibold">
      {label}
      {required && (
        <span aria-hidden="true" className="text-muted">
          {' '}
          *
        </span>
      )}
    </label>
  );
}

/** The error of the control with this id, whose description is `<id>-error`. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className="text-danger text-sm font-medium">
      {error}
    </p>
  );
}
