import { classNames } from '../class-names.ts';

export const controlClass = classNames(
  'bg-surface border-edge w-full rounded-field border px-4 py-2.5 transition-colors placeholder:text-muted',
  'hover:border-ink focus:border-accent disabled:opacity-60',
  'aria-invalid:border-danger aria-invalid:bg-danger-soft/40',
);
