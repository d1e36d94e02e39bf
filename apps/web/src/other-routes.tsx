import { lazy } from 'react';
import { Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { PageWaiting } from './layout/page-waiting.tsx';
import { deliveryKeyOf, paths, patterns } from './paths.ts';

// The guard knows the account and so brings TanStack Query: it is not loaded for a lost visitor or a buyer.
const RequireUser = lazy(async () => ({ default: (await import('./auth/require-user.tsx')).RequireUser }));
const AccountRefusedPage = lazy(() => import('./features/sign-in/account-refused-page.tsx'));
const DownloadPage = lazy(() => import('./features/download/download-page.tsx'));
const UndoChangePage = lazy(() => import('./features/undo-change/undo-change-page.tsx'));
const NotFoundPage = lazy(() => import('./features/not-found/not-found-page.tsx'));

/** What is neither a visitor's page nor a creator's room; what is nothing at all is not found. */
export default function OtherRoutes() {
  return (
    <Routes>
      <Route element={<RequireUserOrKey />}>
        <Route path={patterns.download} element={<DownloadPage />} />
      </Route>
      <Route path={paths.undoChange} element={<UndoChangePage />} />
      <Route path={patterns.everythingElse} element={<NotFoundPage />} />
    </Routes>
  );
}

/** Lets whoever brings a key pass as well; the server judges it. */
function RequireUserOrKey() {
  if (deliveryKeyOf(useLocation()) !== undefined) return <Outlet />;
  return <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />;
}
