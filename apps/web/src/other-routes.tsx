import { lazy } from 'react';
import { Outlet, useLocation, useRoutes } from 'react-router-dom';
import { PageWaiting } from './layout/page-waiting.tsx';
import { deliveryKeyOf, paths, patterns } from './paths.ts';

// The guard knows the account and so brings TanStack Query: it is not loaded for a lost visitor or a buyer.
const RequireUser = lazy(async () => ({ default: (await import('./auth/require-user.tsx')).RequireUser }));
const AccountRefusedPage = lazy(() => import('./features/sign-in/account-refused-page.tsx'));
const DownloadPage = lazy(() => import('./features/download/download-page.tsx'));
const UndoChangePage = lazy(() => import('./features/undo-change/undo-change-page.tsx'));
const AccountDeletedPage = lazy(() => import('./features/account-deleted/account-deleted-page.tsx'));
const ReportPage = lazy(() => import('./features/report/report-page.tsx'));
const ReviewPage = lazy(() => import('./features/review/review-page.tsx'));
const NotFoundPage = lazy(() => import('./features/not-found/not-found-page.tsx'));

/** What is neither a visitor's page nor a creator's room; what is nothing at all is not found. */
export default function OtherRoutes() {
  return useRoutes([
    { element: <RequireUserOrKey />, children: [{ path: patterns.download, element: <DownloadPage /> }] },
    {
      element: <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />,
      children: [{ path: paths.review, element: <ReviewPage /> }],
    },
    { path: paths.report, element: <ReportPage /> },
    { path: paths.undoChange, element: <UndoChangePage /> },
    { path: paths.accountDeleted, element: <AccountDeletedPage /> },
    { path: patterns.everythingElse, element: <NotFoundPage /> },
  ]);
}

/** Also open to visitors with a key, which the server checks. */
function RequireUserOrKey() {
  if (deliveryKeyOf(useLocation()) !== undefined) return <Outlet />;
  return <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />;
}
