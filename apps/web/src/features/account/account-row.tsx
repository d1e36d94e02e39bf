import { type ReactNode, type Ref, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { ChevronIcon } from '../../ui/icons/editor-icons.tsx';

interface AccountRowProps {
  /** The id of the heading. */
  id: string;
  title: string;
  /** What is set at the moment. */
  value?: ReactNode;
  /** Whether the row is open at first. */
  isOpen?: boolean;
  isDangerous?: boolean;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** One setting: its name and value in one line, which opens its form. */
export function AccountRow({ id, title, value, isOpen, isDangerous, heading, children }: AccountRowProps) {
  const [open, setOpen] = useState(isOpen ?? false);
  return (
    <section aria-labelledby={id}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="hover:text-accent-strong flex min-h-14 list-none items-center gap-4 px-4 py-2 sm:px-6 [&::-webkit-details-marker]:hidden">
          <div className="min-w-0 flex-1 sm:flex sm:items-center sm:justify-between sm:gap-4">
            <h2
              ref={heading}
              id={id}
              tabIndex={-1}
              className={classNames(
                'font-sans text-base font-semibold tracking-normal',
                isDangerous && 'text-danger',
              )}
            >
              {title}
            </h2>
            {value && <p className="text-muted truncate text-sm leading-snug">{value}</p>}
          </div>
          <span className="text-muted shrink-0 transition-transform group-open:rotate-90">
            <ChevronIcon />
          </span>
        </summary>
        <div className="px-4 pb-5 sm:px-6">{children}</div>
      </details>
    </section>
  );
}

/** A card of rows. */
export function AccountRows({ isDangerous, children }: { isDangerous?: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'bg-surface shadow-card rounded-card divide-line divide-y border',
        isDangerous ? 'border-danger/40' : 'border-line',
      )}
    >
      {children}
    </div>
  );
}
