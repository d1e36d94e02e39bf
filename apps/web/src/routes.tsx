import { type ComponentType, lazy } from 'react';
import { matchPath, Navigate, type RouteObject, useLocation } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { PageBroken } from './layout/page-broken.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { type VisitorPage, visitorPages } from './pages.ts';
import { isCreatorPath, paths, patterns } from './navigation/paths.ts';

/** A page that renders synchronously once `preload` has fetched its code. */
function lazyPage(page: VisitorPage) {
  let Loaded: ComponentType | undefined;
  const Coming = lazy(page.load);
  return {
    ...page,
    Page: () => (Loaded ? <Loaded /> : <Coming />),
    preload: async () => {
      Loaded = (await page.load()).default;
    },
  };
}

const pages = visitorPages.map(lazyPage);
const Guarded = lazy(() => import('./routes/guarded.tsx'));
const CreatorRoutes = lazy(() => import('./routes/creator-routes.tsx'));
const NotFoundPage = lazy(() => import('./features/not-found/not-found-page.tsx'));

const renderedPageAt = (pathname: string) =>
  pages.find(({ pattern, isRendered }) => isRendered && matchPath(pattern, pathname) !== null);

/** Loads the code of the page at `pathname`, so that it hydrates in one step. */
export async function preloadPage(pathname: string): Promise<void> {
  await renderedPageAt(pathname)?.preload();
}

/** Loads the code and the first data of a public page in parallel. */
async function prefetchPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const page = renderedPageAt(pathname);
  if (!page) return;
  const { params = {} } = matchPath(page.pattern, pathname) ?? {};
  await Promise.allSettled([page.preload(), ...(page.reads?.(params, search) ?? [])]);
}

const routesOf = (audience: VisitorPage['audience']): RouteObject[] =>
  pages
    .filter((page) => page.audience === audience)
    .map(({ pattern, Page }) => ({ path: pattern, element: <Page /> }));

/** A failing page shows its error within the layout. The layout itself may fail, too. */
export const routes: RouteObject[] = [
  {
    element: <Layout waiting={<PageWaiting />} prefetch={prefetchPage} />,
    errorElement: <PageBroken />,
    children: [
      {
        errorElement: <PageBroken />,
        children: [
          ...routesOf(undefined),
          { element: <Guarded />, children: routesOf('accounts') },
          { element: <Guarded orKey />, children: routesOf('accounts-or-key') },
          { path: patterns.termsAlias, element: <Navigate to={paths.terms} replace /> },
          { path: patterns.everythingElse, element: <EverythingElse /> },
        ],
      },
    ],
  },
];

function EverythingElse() {
  const { pathname } = useLocation();
  return isCreatorPath(pathname) ? <CreatorRoutes /> : <NotFoundPage />;
}
