import { previewPaths, previewPatterns } from '@stoa/contracts/preview-pages';
import { lazy, useEffect } from 'react';
import { useLocation, useRoutes } from 'react-router-dom';
import { useMyOfferings } from './api/my-offerings.queries.ts';
import { RequireUser } from './auth/require-user.tsx';
import DashboardPage from './features/dashboard/dashboard-page.tsx';
import OfferingsPanel from './features/offerings/offerings-panel.tsx';
import AccountRefusedPage from './features/sign-in/account-refused-page.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { paths, patterns } from './paths.ts';
import { lazyPart } from './browser/lazy-part.tsx';
import { Skeleton } from './ui/skeleton.tsx';

const loadProfileEditor = () => import('./features/profile-editor/profile-editor-page.tsx');
const loadAddOffering = () => import('./features/offerings/add-offering-page.tsx');
const loadEditOffering = () => import('./features/offerings/edit-offering-page.tsx');

const loadProfilePreview = () => import('./features/profile/profile-owner-preview.tsx');
const loadOfferingPreview = () => import('./features/profile/offering-owner-preview.tsx');
const loadAccount = () => import('./features/account/account-page.tsx');

const ProfileEditorPage = lazy(loadProfileEditor);
const AddOfferingPage = lazy(loadAddOffering);
const EditOfferingPage = lazy(loadEditOffering);
const AccountPage = lazy(loadAccount);
const ProfileOwnerPreview = lazy(loadProfilePreview);
const OfferingOwnerPreview = lazy(loadOfferingPreview);
const NumbersPanel = lazyPart(() => import('./features/numbers/numbers-panel.tsx'), {
  name: 'Your numbers',
  waiting: <Skeleton className="rounded-card h-132" />,
});
const NotFoundPage = lazy(() => import('./features/not-found/not-found-page.tsx'));

/** Matched by the beginning of the address. */
const loaders = [
  [paths.createProfile, loadProfileEditor],
  [paths.editProfile, loadProfileEditor],
  [paths.account, loadAccount],
  [paths.addOffering, loadAddOffering],
  [paths.editOffering(''), loadEditOffering],
  [previewPaths.offering(''), loadOfferingPreview],
  [previewPaths.profile, loadProfilePreview],
] as const;

/** The rooms of creators: the dashboard at once, the editors as they are opened. */
export default function CreatorRoutes() {
  const { pathname } = useLocation();

  useEffect(() => {
    // While it is still being asked who is here: behind the guard the code would be asked for only then.
    const [, load] = loaders.find(([path]) => pathname.startsWith(path)) ?? [];
    load?.().catch((error: unknown) => console.error(error));
  }, [pathname]);

  return useRoutes([
    {
      element: <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />,
      children: [
        { path: paths.createProfile, element: <ProfileEditorPage /> },
        { path: paths.editProfile, element: <ProfileEditorPage /> },
        { path: paths.dashboard, element: <Dashboard /> },
        { path: paths.account, element: <AccountPage /> },
        { path: paths.addOffering, element: <AddOfferingPage /> },
        { path: patterns.editOffering, element: <EditOfferingPage /> },
        { path: previewPaths.profile, element: <ProfileOwnerPreview /> },
        { path: previewPatterns.offering, element: <OfferingOwnerPreview /> },
      ],
    },
    { path: patterns.everythingElse, element: <NotFoundPage /> },
  ]);
}

function Dashboard() {
  return <DashboardPage offerings={<OfferingsPanel />} numbers={<Numbers />} />;
}

/** Comes after the offerings, which are what one is here for; its place is held while its code is on its way. */
function Numbers() {
  const offerings = useMyOfferings();
  return offerings.isPending ? null : <NumbersPanel offerings={offerings.data?.items ?? []} />;
}
