import { type MouseEvent, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { signOutIsUnfinished } from '../browser/sign-in-storage.ts';
import { useSession } from '../auth/session.ts';
import { lazyOptional } from '../ui/lazy-optional.tsx';
import { Footer } from './footer.tsx';
import { Interactive } from '../browser/early-input.ts';
import { Header } from './header.tsx';
import type { Prefetch } from '../browser/prefetch-on-intent.ts';
import { ScrollRestoration } from '../browser/scroll-position.tsx';

// In the code that begins a session, and so there before its end without a request that could fail.
const SessionEnded = lazyOptional(async () => (await import('../auth/session-ended.tsx')).SessionEnded);
const SignOutUnfinished = lazyOptional(
  async () => (await import('../auth/sign-out-unfinished.tsx')).SignOutUnfinished,
);

// As this visit began: a visitor who saw the notice is also told how it ends.
const unfinishedBefore = signOutIsUnfinished();
const unchanging = () => () => {};

const PrefetchOnIntent = lazyOptional(
  async () => (await import('../browser/prefetch-on-intent.ts')).PrefetchOnIntent,
);

interface LayoutProps {
  waiting: ReactNode;
  prefetch: Prefetch;
}

export function Layout({ waiting, prefetch }: LayoutProps) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { status } = useSession();
  const unfinished = useSyncExternalStore(
    unchanging,
    () => unfinishedBefore,
    () => false,
  );
  const skip = (event: MouseEvent) => {
    // The router cannot count back over an entry that it has not made.
    event.preventDefault();
    // The fragment may hold a buyer's key, or that of an undo, which another one would replace.
    if (!location.hash) void navigate({ search: location.search, hash: 'main' });
    document.getElementById('main')?.focus();
  };
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        onClick={skip}
        className="bg-accent text-on-accent sr-only z-50 rounded-full px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {/* Together: what the header has to say stays in sight, however far down one saves. A low window is the page's alone,
          and what has no room in it scrolls: an open menu, too. */}
      <div className="top-0 z-40">
        <Header />
        {status === 'signed-in' && <SessionEnded />}
      </div>
      {unfinished && status === 'anonymous' && <SignOutUnfinished />}
      <main id="main" tabIndex={-1} className="flex-1">
        <Suspense key={pathname} fallback={waiting}>
          <Outlet />
          <Interactive />
        </Suspense>
      </main>
      <Footer />
      <ScrollRestoration />
      <PrefetchOnIntent prefetch={prefetch} />
    </div>
  );
}
