import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { MoreIcon } from '../icons/editor-icons.tsx';

interface MenuButtonProps {
  /** The name of the button and of its list. */
  label: string;
  children: ReactNode;
}

/**
 * A button that shows further actions below it. They are ordinary buttons and links, so that the Tab key
 * reaches them. Escape, a click elsewhere and leaving with the Tab key close the list.
 */
export function MenuButton({ label, children }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    list.current?.scrollIntoView({ block: 'nearest' });
    const closeOutside = ({ target }: Event) => {
      if (!(target instanceof Node && place.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const close = () => {
    // First, because the focused item disappears with the list.
    toggle.current?.focus();
    setOpen(false);
  };

  return (
    <div
      ref={place}
      role="presentation"
      className="relative"
      onKeyDown={({ key }) => open && key === 'Escape' && close()}
      onClick={({ target }) => target instanceof Element && target.closest('[data-closes]') && close()}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={toggle}
        type="button"
        title={label}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="hover:bg-accent-soft hover:text-accent-strong aria-expanded:bg-accent-soft aria-expanded:text-accent-strong grid size-11 place-items-center rounded-full transition-colors"
      >
        <MoreIcon />
      </button>
      <div
        ref={list}
        id={id}
        role="group"
        aria-label={label}
        hidden={!open}
        className="bg-surface border-line shadow-lifted rounded-card animate-rise absolute end-0 top-full z-20 w-56 scroll-my-24 border p-1.5 max-sm:scroll-mb-28"
      >
        {open && children}
      </div>
    </div>
  );
}

/** Classes for the links of a menu. */
export const menuItemClass =
  'rounded-field flex min-h-11 w-full items-center gap-3 px-3 text-start text-sm font-medium transition-colors hover:bg-accent-soft hover:text-accent-strong aria-pressed:text-accent-strong aria-disabled:cursor-not-allowed aria-disabled:opacity-40 [&>svg]:shrink-0';

interface MenuItemProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick'> {
  /** Disables the item but keeps its focus. */
  unavailable?: boolean;
  /** Closes the list and returns the focus to its button. */
  closes?: boolean;
  onClick: () => void;
}

export function MenuItem({ unavailable = false, closes, onClick, className = '', ...rest }: MenuItemProps) {
  return (
    <button
      type="button"
      aria-disabled={unavailable}
      data-closes={closes && !unavailable ? '' : undefined}
      onClick={() => !unavailable && onClick()}
      className={`${menuItemClass} ${className}`}
      {...rest}
    />
  );
}
