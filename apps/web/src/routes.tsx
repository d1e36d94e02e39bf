import { type ComponentType, lazy } from 'react';
import { matchPath, Navigate, type RouteObject, useLocation } from 'react-router-dom';
import { fill } from './api/request.ts';
import { prefetchAnswer } from './api/resource.ts';
import { Layout } from './layout/layout.tsx';
import { PageBroken } from './layout/page-broken.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { isCreatorPath, paths, patterns } from './paths.ts';

type PageModule = { default: ComponentType };

/** Where the API answers what a page shows first. */
type Reads = (params: Readonly<Record<string, string | undefined>>, search: string) => string[];

/** A page in a chunk of its own, which is shown without a wait once `preload` has fetched it. */
function lazyPage(pattern: string, load: () => Promise<PageModule>, reads: Reads = () => []) {
  let Loaded: ComponentType | undefined;
  const Coming = lazy(load);
  return {
    pattern,
    reads,
    Page: () => (Loaded ? <Loaded /> : <Coming />),
    preload: async () => {
      Loaded = (await load()).default;
    },
  };
}

const apiPath = (path: string, params: Parameters<Reads>[0]) =>
  fill(`/api/creators/{username}${path}`, params);

/** The pages that are there before any script; the first that matches is the one. */
const publicPages = [
  lazyPage(paths.home, () => import('./features/home/home-page.tsx')),
  lazyPage(paths.about, () => import('./features/about/about-page.tsx')),
  lazyPage(
    paths.browse,
    () => import('./features/browse/browse-page.tsx'),
    (_, search) => [`/api/creators${search}`],
  ),
  lazyPage(
    patterns.profile,
    () => import('./features/profile/profile-page.tsx'),
    (params) => (params.username ? [apiPath('', params), apiPath('/offerings', params)] : []),
  ),
  lazyPage(
    patterns.contactCreator,
    () => import('./features/contact/creator-contact-page.tsx'),
    (params) => [apiPath('', params)],
  ),
  lazyPage(
    patterns.offering,
    () => import('./features/profile/offering-page.tsx'),
    (params) => ['', '/offerings/{slug}', '/offerings'].map((path) => apiPath(path, params)),
  ),
  lazyPage(paths.contact, () => import('./features/contact/contact-page.tsx')),
  lazyPage(paths.privacy, () => import('./features/legal/privacy-page.tsx')),
  lazyPage(paths.terms, () => import('./features/legal/terms-page.tsx')),
  lazyPage(paths.guidelines, () => import('./features/legal/guidelines-page.tsx')),
  lazyPage(paths.help, () => import('./features/legal/help-page.tsx')),
];
const RedirectToSignInPage = lazy(() => import('./features/sign-in/redirect-to-sign-in-page.tsx'));
const CallbackPage = lazy(() => import('./features/sign-in/callback-page.tsx'));
const CreatorRoutes = lazy(() => import('./creator-routes.tsx'));
const OtherRoutes = lazy(() => import('./other-routes.tsx'));

const publicPageAt = (pathname: string) =>
  publicPages.find(({ pattern }) => matchPath(pattern, pathname) !== null);

/** Fetches the code of the page at `pathname`, so that it takes over what is on screen in one go. */
export async function preloadPage(pathname: string): Promise<void> {
  await publicPageAt(pathname)?.preload();
}

/** Fetches what the public page at an address is made of: its code and, side by side, what it reads first. */
async function prefetchPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const page = publicPageAt(pathname);
  if (!page) return;
  const { params = {} } = matchPath(page.pattern, pathname) ?? {};
  const reads = page.reads(params, search);
  await Promise.allSettled([page.preload(), ...reads.map((address) => prefetchAnswer(address))]);
}

const pages: RouteObject[] = [
  ...publicPages.map(({ pattern, Page }) => ({ path: pattern, element: <Page /> })),
  { path: patterns.termsAlias, element: <Navigate to={paths.terms} replace /> },
  { path: paths.login, element: <RedirectToSignInPage key="login" to="login" /> },
  { path: paths.signup, element: <RedirectToSignInPage key="signup" to="signup" /> },
  { path: paths.forgotPassword, element: <RedirectToSignInPage key="forgot" to="forgot-password" /> },
  { path: paths.authCallback, element: <CallbackPage /> },
  { path: patterns.everythingElse, element: <EverythingElse /> },
];

/** A page that breaks does so within the layout; the layout itself may break as well. */
export const routes: RouteObject[] = [
  {
    element: <Layout waiting={<PageWaiting />} prefetch={prefetchPage} />,
    errorElement: <PageBroken />,
    children: [{ errorElement: <PageBroken />, children: pages }],
  },
];

function EverythingElse() {
  const { pathname } = useLocation();
  return isCreatorPath(pathname) ? <CreatorRoutes /> : <OtherRoutes />;
}
