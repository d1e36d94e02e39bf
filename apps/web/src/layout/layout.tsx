import { type MouseEvent, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { signOutIsUnfinished } from '../browser/sign-in-storage.ts';
import { useSession } from '../auth/session.ts';
import { lazyOptional } from '../ui/lazy-optional.tsx';
import { Footer } from './footer.tsx';
import { Interactive } from '../browser/early-input.ts';
import { Header } from './header.tsx';
import type { Prefetch } from '../navigation/prefetch-on-intent.ts';
import { ScrollRestoration } from '../navigation/scroll-position.tsx';

// Part of the chunk that begins a session, so that showing its end needs no request.
const SessionEnded = lazyOptional(async () => (await import('../auth/session-ended.tsx')).SessionEnded);
const SignOutUnfinished = lazyOptional(
  async () => (await import('../auth/sign-out-unfinished.tsx')).SignOutUnfinished,
);

// The state at the start of the visit. A visitor who saw the notice also sees its end.
const unfinishedBefore = signOutIsUnfinished();
const unchanging = () => () => {};

const PrefetchOnIntent = lazyOptional(
  async () => (await import('../navigation/prefetch-on-intent.ts')).PrefetchOnIntent,
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
    // The router cannot go back over a history entry that it did not create.
    event.preventDefault();
    // The fragment may hold a buyer's key or the key of an undo, which `#main` would replace.
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
      {/* One block, so that the header's notices stay visible on a scrolled page. In a low window the
          block and an open menu scroll with the page. */}
      <div className="site-top top-0 z-40">
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
