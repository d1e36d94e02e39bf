import type { ButtonHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names.ts';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

const looks: Record<Look, string> = {
  // In forced colours only the border shows that it is a button.
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong shadow-card',
  secondary: 'border border-edge/60 bg-surface text-ink hover:border-accent hover:text-accent',
  quiet: 'border border-transparent text-ink hover:bg-accent-soft hover:text-accent-strong',
  danger: 'border border-danger/40 bg-surface text-danger hover:bg-danger-soft',
};

/** Classes for links that appear as buttons. */
export function buttonClass(look: Look = 'primary', size: 'normal' | 'small' = 'normal'): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-full font-semibold no-underline transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-60',
    size === 'small' ? 'min-h-11 px-4 text-sm' : 'min-h-12 px-6',
    looks[look],
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  size?: 'normal' | 'small';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look, size, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classNames(buttonClass(look, size), className)} {...rest} />;
}
