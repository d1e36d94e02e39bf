import { type ReactNode, type Ref, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { ChevronIcon } from '../../ui/icons/editor-icons.tsx';

interface AccountRowProps {
  /** The id of the heading. */
  id: string;
  title: string;
  /** What is set at the moment. */
  value?: ReactNode;
  /** Why the row must be open, such as a failure. It opens with each new reason; the user may close it again. */
  opensFor?: string | false | undefined;
  /** Live regions. They are outside of the part that closes, so that they are always shown and announced. */
  status?: ReactNode;
  isDangerous?: boolean;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** One setting: its name and value in one line, which opens its form. */
export function AccountRow({
  id,
  title,
  value,
  opensFor,
  status,
  isDangerous,
  heading,
  children,
}: AccountRowProps) {
  const [open, setOpen] = useState(Boolean(opensFor));
  const [reason, setReason] = useState(opensFor);
  // Set during rendering, as React recommends for state derived from the previous render.
  if (reason !== opensFor) {
    setReason(opensFor);
    if (opensFor) setOpen(true);
  }
  return (
    <section aria-labelledby={id}>
      {/* The whole line is the button's target. A heading within `summary` would be no heading everywhere. */}
      <div className="hover:text-accent-strong relative flex min-h-14 items-center gap-4 px-4 py-2 sm:px-6">
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
            <button
              type="button"
              aria-expanded={open}
              aria-controls={`${id}-form`}
              aria-describedby={value ? `${id}-value` : undefined}
              onClick={() => setOpen(!open)}
              className="text-left after:absolute after:inset-0"
            >
              {title}
            </button>
          </h2>
          {value && (
            <p id={`${id}-value`} className="text-muted truncate text-sm leading-snug">
              {value}
            </p>
          )}
        </div>
        <span className={classNames('text-muted shrink-0 transition-transform', open && 'rotate-90')}>
          <ChevronIcon />
        </span>
      </div>
      <div id={`${id}-form`} hidden={!open} className="px-4 pb-5 sm:px-6">
        {children}
      </div>
      {status}
    </section>
  );
}

/** The class of a live region in `status`. */
export const rowStatus = 'px-4 pb-5 sm:px-6 empty:absolute empty:p-0';

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
