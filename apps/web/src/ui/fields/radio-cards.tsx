import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useGroupError } from './group-error.tsx';

interface RadioCard<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
  /** Shown beside or below the label, by its own classes. The row's grid has three columns. */
  readonly drawing?: ReactNode;
}

interface RadioCardsProps<Value extends string> {
  legend: string;
  explanation: string;
  name: string;
  options: readonly RadioCard<Value>[];
  chosen: Value | undefined;
  error: string | undefined;
  onChange: (chosen: Value) => void;
  /** The layout of the cards. */
  className?: string;
}

/** A group of radio buttons, each shown as a card. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { legend, explanation, name, options, chosen, error, onChange, className } = props;
  const group = useGroupError(error);
  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">{legend}</legend>
      <p className="text-muted mb-4 text-sm">{explanation}</p>
      <div className={classNames('grid gap-3', className)}>
        {options.map(({ value, label, hint, drawing }) => (
          <label
            key={value}
            className="border-edge bg-surface rounded-card has-checked:border-accent has-checked:bg-accent-soft grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] content-start gap-x-3 border p-4 outline-offset-2 outline-(--ring) has-focus-visible:outline-3"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              aria-label={label}
              aria-describedby={hint && `${name}-${value}`}
              onChange={() => onChange(value)}
              className="mt-1 size-4 accent-(--accent)"
            />
            <span className="font-semibold">{label}</span>
            {drawing}
            {hint && (
              <span
                id={`${name}-${value}`}
                className="text-muted col-start-2 row-start-2 text-sm break-words"
              >
                {hint}
              </span>
            )}
          </label>
        ))}
      </div>
      {group.message}
    </fieldset>
  );
}
