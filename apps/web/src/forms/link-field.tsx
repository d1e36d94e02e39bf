import { completeLink } from '@stoa/contracts/typed-links';
import type { ComponentProps } from 'react';
import { TextField } from '../ui/fields/text-field.tsx';

interface LinkFieldProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'value' | 'onChange'> {
  value: string;
  onType: (value: string) => void;
  /** Completes the typed text to a link. */
  complete?: (typed: string) => string;
}

/** A field for a link. Leaving it completes the link as the server would. */
export function LinkField({ value, onType, complete = completeLink, ...field }: LinkFieldProps) {
  const leave = () => {
    const whole = complete(value);
    if (whole !== value) onType(whole);
  };
  return (
    <TextField
      inputMode="url"
      placeholder="https://"
      {...field}
      type="url"
      value={value}
      onChange={({ target }) => onType(target.value)}
      onBlur={leave}
    />
  );
}
