import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../auth/session.ts';
import { pageTitles, paths } from '../navigation/paths.ts';
import { BrandMark } from '../ui/brand.tsx';
import { buttonClass } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { CloseIcon, MenuIcon } from '../ui/icons/icons.tsx';
import { lazyOptional } from '../ui/lazy-optional.tsx';
import { ThemeSwitch } from '../ui/theme/theme-switch.tsx';

const item =
  'block rounded-full px-3.5 py-2 font-medium transition-colors hover:bg-accent-soft hover:text-accent-strong aria-[current=page]:text-accent';

export function Header() {
  const { key } = useLocation();
  // The menu is open for one history entry, so going back closes it.
  const [openAt, setOpenAt] = useState<string>();
  const open = openAt === key;
  const toggle = useRef<HTMLButtonElement>(null);
  const close = () => setOpenAt(undefined);
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    close();
    // The focused item disappears with the menu.
    toggle.current?.focus();
  };

  return (
    <header className="site-header bg-paper border-line border-b">
      <div
        role="presentation"
        onKeyDown={escape}
        className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-1 px-5 py-1.5 max-lg:[reading-flow:flex-visual] sm:px-8 sm:py-2.5 lg:gap-x-4"
      >
        <Link to={paths.home} onClick={close} className="flex items-center gap-2 rounded-full max-lg:me-auto">
          <BrandMark />
          <span className="font-serif text-2xl font-semibold tracking-tight">Stoa</span>
        </Link>
        <button
          ref={toggle}
          type="button"
          aria-label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpenAt(open ? undefined : key)}
          className="hover:bg-accent-soft grid size-11 place-items-center rounded-full max-lg:order-1 lg:hidden"
        >
          {open ? <CloseIcon /> : <MenuIcon />}
        </button>
        <nav
          id="menu"
          aria-label="Main"
          className={classNames(
            'w-full max-lg:order-1 lg:ml-auto lg:block lg:w-auto',
            open ? 'animate-rise block' : 'hidden',
          )}
        >
          <ul className="flex flex-col gap-1 py-4 lg:flex-row lg:items-center lg:py-0">
            <MenuItem to={paths.home} onFollow={close} label="Home" />
            <MenuItem to={paths.browse} onFollow={close} label={pageTitles.browse} />
            <MenuItem to={paths.about} onFollow={close} label={pageTitles.about} />
            <AccountItems onFollow={close} />
          </ul>
        </nav>
        <ThemeSwitch />
      </div>
    </header>
  );
}

const OnlyOperators = lazyOptional(async () => (await import('../auth/only-operators.tsx')).OnlyOperators);

interface MenuItemProps {
  to: string;
  label: string;
  onFollow: () => void;
  className?: string | undefined;
  /** Set if the item is for visitors without an account. */
  'data-visitor'?: '';
}

function MenuItem({ to, label, onFollow, ...rest }: MenuItemProps) {
  return (
    <li {...rest}>
      <NavLink end to={to} onClick={onFollow} className={item}>
        {label}
      </NavLink>
    </li>
  );
}

function AccountItems({ onFollow }: { onFollow: () => void }) {
  const { status } = useSession();
  if (status !== 'anonymous') {
    // Until the session is known, the items of the last user keep their place, invisible.
    const held = status === 'unknown' ? 'invisible' : undefined;
    return (
      <>
        <MenuItem to={paths.dashboard} onFollow={onFollow} label="Dashboard" className={held} />
        {!held && (
          <OnlyOperators>
            <MenuItem to={paths.review} onFollow={onFollow} label="Reports" />
          </OnlyOperators>
        )}
        <li className={held}>
          <LogOut onFollow={onFollow} />
        </li>
      </>
    );
  }
  return (
    <>
      <MenuItem to={paths.login} onFollow={onFollow} label="Log In" data-visitor="" />
      <li data-visitor="" className="mt-2 lg:mt-0 lg:ml-2">
        <Link to={paths.signup} onClick={onFollow} className={buttonClass('primary', 'small')}>
          Sign Up
        </Link>
      </li>
    </>
  );
}

function LogOut({ onFollow }: { onFollow: () => void }) {
  const logOut = async () => {
    onFollow();
    const { signOutAddress } = await import('../auth/sign-in.ts');
    // Leaves the page: dropping the session here would make the guard redirect to the log-in first.
    location.replace(await signOutAddress());
  };
  return (
    <button
      type="button"
      data-leaves-page=""
      onClick={() => void logOut()}
      className={classNames(item, 'w-full text-left')}
    >
      Log Out
    </button>
  );
}
