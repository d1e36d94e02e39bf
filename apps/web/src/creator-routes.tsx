import { lazy } from 'react';
import { Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { keyOf, paths, patterns } from './paths.ts';

const RequireUser = lazy(() => import('./auth/require-user.tsx'));
const DashboardPage = lazy(() => import('./features/dashboard/dashboard-page.tsx'));
const OfferingsPanel = lazy(() => import('./features/offerings/offerings-panel.tsx'));
const AddOfferingPage = lazy(() => import('./features/offerings/add-offering-page.tsx'));
const EditOfferingPage = lazy(() => import('./features/offerings/edit-offering-page.tsx'));
const ProfileEditorPage = lazy(() => import('./features/profile-editor/profile-editor-page.tsx'));
const AccountRefusedPage = lazy(() => import('./features/sign-in/account-refused-page.tsx'));
const DownloadPage = lazy(() => import('./features/download/download-page.tsx'));
const NotFoundPage = lazy(() => import('./features/not-found/not-found-page.tsx'));

/**
 * The rooms of creators, kept out of what visitors load; what is no room at all is not found. The guard knows the
 * account and so brings TanStack Query: it too is loaded for rooms alone, not for a lost visitor or a buyer.
 */
export default function CreatorRoutes() {
  return (
    <Routes>
      <Route element={<RequireUser refused={<AccountRefusedPage />} />}>
        <Route path={paths.createProfile} element={<ProfileEditorPage />} />
        <Route path={paths.editProfile} element={<ProfileEditorPage />} />
        <Route path={paths.dashboard} element={<DashboardPage offerings={<OfferingsPanel />} />} />
        <Route path={paths.addOffering} element={<AddOfferingPage />} />
        <Route path={patterns.editOffering} element={<EditOfferingPage />} />
      </Route>
      <Route element={<RequireUserOrKey />}>
        <Route path={patterns.download} element={<DownloadPage />} />
      </Route>
      <Route path={patterns.everythingElse} element={<NotFoundPage />} />
    </Routes>
  );
}

/** Lets whoever brings a key pass as well; the server judges it. */
function RequireUserOrKey() {
  const { search } = useLocation();
  return keyOf(search) === undefined ? <RequireUser refused={<AccountRefusedPage />} /> : <Outlet />;
}
