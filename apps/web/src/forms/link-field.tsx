import { completeLink } from '@stoa/contracts/typed-links';
import type { ComponentProps } from 'react';
import { TextField } from '../ui/text-field.tsx';

interface LinkFieldProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'value' | 'onChange'> {
  value: string;
  onType: (value: string) => void;
  /** Makes a link of what was typed. */
  complete?: (typed: string) => string;
}

/** A field for a link. Leaving it adds what the link lacks, as the server would. */
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
