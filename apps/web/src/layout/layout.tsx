import { type MouseEvent, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { signOutIsUnfinished } from '../browser/sign-in-storage.ts';
import { useSession } from '../auth/session.ts';
import { lazyOptional } from '../lazy-optional.tsx';
import { Footer } from './footer.tsx';
import { Interactive } from '../browser/early-input.ts';
import { Header } from './header.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ScrollRestoration } from '../browser/scroll-restoration.tsx';

// In the code that begins a session, and so there before its end without a request that could fail.
const SessionEnded = lazyOptional(async () => (await import('../auth/session-ended.tsx')).SessionEnded);
const SignOutUnfinished = lazyOptional(
  async () => (await import('../auth/sign-out-unfinished.tsx')).SignOutUnfinished,
);

// As this visit began: whoever is told of it is also told how it ends.
const unfinishedBefore = signOutIsUnfinished();
const unchanging = () => () => {};

export function Layout({ waiting }: { waiting: ReactNode }) {
  const { pathname } = useLocation();
  const { status } = useSession();
  const unfinished = useSyncExternalStore(
    unchanging,
    () => unfinishedBefore,
    () => false,
  );
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        onClick={skip}
        className="bg-accent text-on-accent sr-only z-50 rounded-full px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {/* Together: what the header has to say stays in sight, however far down one saves. */}
      <div className="sticky top-0 z-40">
        <Header />
        {status === 'signed-in' && <SessionEnded />}
      </div>
      {unfinished && status === 'anonymous' && <SignOutUnfinished />}
      <main id="main" tabIndex={-1} className="flex-1">
        <PageBoundary key={pathname}>
          <Suspense fallback={waiting}>
            <Outlet />
            <Interactive />
          </Suspense>
        </PageBoundary>
      </main>
      <Footer />
      <ScrollRestoration />
    </div>
  );
}

/** The fragment may hold a buyer's key, or that of an undo, which a link within the page would replace. */
function skip(event: MouseEvent): void {
  if (!location.hash) return;
  event.preventDefault();
  document.getElementById('main')?.focus();
}
