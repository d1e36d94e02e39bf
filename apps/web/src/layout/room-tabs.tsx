import { roomPaths } from '@stoa/contracts/preview-pages';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '../navigation/paths.ts';
import {
  ChartIcon,
  HouseIcon,
  ListIcon,
  PlusIcon,
  ReceiptIcon,
  UserIcon,
} from '../ui/icons/editor-icons.tsx';

const offerings = '#my-offerings';

/** A creator's rooms, at the bottom of the window on a phone. In a very low window they do not stick. */
export function RoomTabs() {
  const { pathname, hash } = useLocation();
  const isAt = (path: string) => pathname === path && hash !== offerings;
  return (
    <nav
      aria-label="Your rooms"
      className="room-tabs bg-surface border-line inset-x-0 bottom-0 z-30 border-t pb-[env(safe-area-inset-bottom)] max-sm:-mx-5 sm:hidden max-sm:[@media(min-height:30rem)]:fixed max-sm:[@media(min-height:30rem)]:mx-0"
    >
      <ul className="mx-auto grid max-w-md grid-cols-6 items-end">
        <Tab to={paths.dashboard} label="Dashboard" current={isAt(paths.dashboard)}>
          <HouseIcon />
        </Tab>
        <Tab to={paths.dashboard + offerings} label="Offerings" current={hash === offerings}>
          <ListIcon />
        </Tab>
        <li>
          <Link
            to={paths.addOffering}
            className="group text-accent grid min-h-14 content-center justify-items-center gap-0.5 text-xs font-semibold"
          >
            <span className="bg-accent text-on-accent group-hover:bg-accent-strong grid h-7 w-11 place-items-center rounded-full border border-transparent">
              <PlusIcon />
            </span>
            <span>
              Add<span className="sr-only"> New Offering</span>
            </span>
          </Link>
        </li>
        <Tab to={paths.numbers} label="Numbers" current={isAt(paths.numbers)}>
          <ChartIcon />
        </Tab>
        <Tab to={roomPaths.sales} label="Sales" current={isAt(roomPaths.sales)}>
          <ReceiptIcon />
        </Tab>
        <Tab to={paths.editProfile} label="Page" current={isAt(paths.editProfile)}>
          <UserIcon />
        </Tab>
      </ul>
    </nav>
  );
}

interface TabProps {
  to: string;
  label: string;
  current: boolean;
  children: ReactNode;
}

function Tab({ to, label, current, children }: TabProps) {
  return (
    <li>
      <Link
        to={to}
        aria-current={current ? 'page' : undefined}
        className="text-muted hover:text-accent aria-[current=page]:text-accent grid min-h-14 content-center justify-items-center gap-0.5 text-xs font-medium aria-[current=page]:font-semibold"
      >
        <span className="grid h-7 place-items-center">{children}</span>
        {label}
      </Link>
    </li>
  );
}
