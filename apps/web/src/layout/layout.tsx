import { type ReactNode, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { SessionEnded } from '../auth/session-ended.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ScrollMemory } from './scroll.tsx';

export function Layout({ waiting }: { waiting: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="bg-accent text-on-accent sr-only z-50 rounded-full px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header />
      <SessionEnded />
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
