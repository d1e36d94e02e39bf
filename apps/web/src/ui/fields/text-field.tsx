import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { controlClass } from './control-class.ts';
import { Field } from './field.tsx';
import { textDirection } from '../text/text-direction.ts';

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string;
  required?: boolean;
}

type InputProps = Labelled & Omit<InputHTMLAttributes<HTMLInputElement>, 'id'>;

export function TextField({ label, hint, error, required, className, ...input }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(control) => (
        <input
          type="text"
          dir="auto"
          {...input}
          {...control}
          className={classNames(controlClass, className)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = Labelled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'value'> & { value: string };

export function TextArea({ label, hint, error, required, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(control) => (
        <textarea rows={6} dir={textDirection(area.value)} {...area} {...control} className={controlClass} />
      )}
    </Field>
  );
}

type SelectProps = Labelled & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'>;

export function SelectField({ label, hint, error, required, children, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(control) => (
        <select {...select} {...control} className={classNames(controlClass, 'select h-12')}>
          {children}
        </select>
      )}
    </Field>
  );
}
