import { type ReactNode, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../auth/session.ts';
import { later } from '../later.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ScrollMemory } from './scroll.tsx';

// In the code that begins a session, and so there before its end without a request that could fail.
const SessionEnded = later(async () => (await import('../auth/keycloak.client.ts')).SessionEnded);

export function Layout({ waiting }: { waiting: ReactNode }) {
  const { pathname } = useLocation();
  const { status } = useSession();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="bg-accent text-on-accent sr-only z-50 rounded-full px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header />
      {status === 'signed-in' && <SessionEnded />}
      <main id="main" tabIndex={-1} className="flex-1">
        <PageBoundary key={pathname}>
          <Suspense fallback={waiting}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <Footer />
      <ScrollMemory />
    </div>
  );
}
