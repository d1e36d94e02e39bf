import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick'> {
  label: string;
  children: ReactNode;
  /** Disables the button but keeps its focus. */
  unavailable?: boolean;
  onClick: () => void;
}

/** A button with an icon only. Its label is read by screen readers and shown as a tooltip. */
export function IconButton({
  label,
  children,
  unavailable = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={unavailable}
      onClick={() => !unavailable && onClick()}
      className={classNames(
        'text-ink hover:bg-accent-soft hover:text-accent-strong aria-pressed:bg-accent-soft aria-pressed:text-accent-strong inline-grid size-11 shrink-0 place-items-center rounded-full transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-40',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
