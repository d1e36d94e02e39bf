import { previewPaths, previewPatterns, roomPaths } from '@stoa/contracts/preview-pages';
import { type ComponentType, lazy, useEffect } from 'react';
import { matchPath, useLocation, useRoutes } from 'react-router-dom';
import { RequireUser } from '../auth/require-user.tsx';
import DashboardPage from '../features/dashboard/dashboard-page.tsx';
import OfferingsPanel from '../features/offerings/list/offerings-panel.tsx';
import AccountRefusedPage from '../features/sign-in/account-refused-page.tsx';
import { PageWaiting } from '../layout/page-waiting.tsx';
import { paths, patterns } from '../navigation/paths.ts';

const NotFoundPage = lazy(() => import('../features/not-found/not-found-page.tsx'));

const loadProfileEditor = () => import('../features/profile-editor/profile-editor-page.tsx');
const ProfileEditorPage = lazy(loadProfileEditor);

/** A creator's pages, each in its own chunk. The dashboard is part of this one. */
const rooms = [
  { path: paths.createProfile, load: loadProfileEditor, Room: ProfileEditorPage },
  { path: paths.editProfile, load: loadProfileEditor, Room: ProfileEditorPage },
  lazyRoom(paths.account, () => import('../features/account/account-page.tsx')),
  lazyRoom(paths.numbers, () => import('../features/numbers/numbers-page.tsx')),
  lazyRoom(roomPaths.sales, () => import('../features/sales/sales-page.tsx')),
  lazyRoom(paths.addOffering, () => import('../features/offerings/add-offering-page.tsx')),
  lazyRoom(patterns.editOffering, () => import('../features/offerings/edit-offering-page.tsx')),
  lazyRoom(previewPaths.profile, () => import('../features/profile/profile-owner-preview.tsx')),
  lazyRoom(previewPatterns.offering, () => import('../features/profile/offering-owner-preview.tsx')),
];

function lazyRoom(path: string, load: () => Promise<{ default: ComponentType }>) {
  return { path, load, Room: lazy(load) };
}

/** The creators' pages. The dashboard is loaded with them, and each editor when it is opened. */
export default function CreatorRoutes() {
  const { pathname } = useLocation();

  useEffect(() => {
    // Loads the code during the session check. Otherwise the guard would delay it.
    const room = rooms.find(({ path }) => matchPath(path, pathname));
    room?.load().catch((error: unknown) => console.error(error));
  }, [pathname]);

  return useRoutes([
    {
      element: <RequireUser refused={<AccountRefusedPage />} waiting={<PageWaiting />} />,
      children: [
        { path: paths.dashboard, element: <DashboardPage offerings={<OfferingsPanel />} /> },
        ...rooms.map(({ path, Room }) => ({ path, element: <Room /> })),
      ],
    },
    { path: patterns.everythingElse, element: <NotFoundPage /> },
  ]);
}
