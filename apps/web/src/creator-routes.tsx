import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { RequireUser, RequireUserOrKey } from './auth/require-user.tsx';
import { NotFoundPage } from './features/not-found/not-found-page.tsx';
import { paths, patterns } from './paths.ts';

const DashboardPage = lazy(() => import('./features/dashboard/dashboard-page.tsx'));
const OfferingsPanel = lazy(() => import('./features/offerings/offerings-panel.tsx'));
const AddOfferingPage = lazy(() => import('./features/offerings/add-offering-page.tsx'));
const EditOfferingPage = lazy(() => import('./features/offerings/edit-offering-page.tsx'));
const ProfileEditorPage = lazy(() => import('./features/profile-editor/profile-editor-page.tsx'));
const AccountRefusedPage = lazy(() => import('./features/sign-in/account-refused-page.tsx'));
const DownloadPage = lazy(() => import('./features/download/download-page.tsx'));

/** The rooms behind the guards, kept out of what visitors load; what is no room at all is not found. */
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
      <Route element={<RequireUserOrKey refused={<AccountRefusedPage />} />}>
        <Route path={patterns.download} element={<DownloadPage />} />
      </Route>
      <Route path={patterns.everythingElse} element={<NotFoundPage />} />
    </Routes>
  );
}
