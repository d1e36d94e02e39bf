import { type ComponentType, lazy } from 'react';
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { isCreatorPath, paths, patterns } from './paths.ts';

type PageModule = { default: ComponentType };

/** A page in a chunk of its own, which is shown without a wait once `preload` has fetched it. */
function lazyPage(pattern: string, load: () => Promise<PageModule>) {
  let Loaded: ComponentType | undefined;
  const Coming = lazy(load);
  return {
    pattern,
    Page: () => (Loaded ? <Loaded /> : <Coming />),
    preload: async () => {
      Loaded = (await load()).default;
    },
  };
}

/** The pages that are there before any script. */
const publicPages = [
  lazyPage(paths.home, () => import('./features/home/home-page.tsx')),
  lazyPage(paths.about, () => import('./features/about/about-page.tsx')),
  lazyPage(paths.browse, () => import('./features/browse/browse-page.tsx')),
  lazyPage(patterns.profile, () => import('./features/profile/profile-page.tsx')),
  lazyPage(patterns.offering, () => import('./features/profile/offering-page.tsx')),
  lazyPage(patterns.contactCreator, () => import('./features/contact/creator-contact-page.tsx')),
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

/** Fetches the code of the page at `pathname`, so that it takes over what is on screen in one go. */
export async function preloadPage(pathname: string): Promise<void> {
  const asked = publicPages.filter(({ pattern }) => matchPath(pattern, pathname));
  await Promise.all(asked.map(({ preload }) => preload()));
}

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout waiting={<PageWaiting />} />}>
        {publicPages.map(({ pattern, Page }) => (
          <Route key={pattern} path={pattern} element={<Page />} />
        ))}
        <Route path={patterns.termsAlias} element={<Navigate to={paths.terms} replace />} />
        <Route path={paths.login} element={<RedirectToSignInPage key="login" to="login" />} />
        <Route path={paths.signup} element={<RedirectToSignInPage key="signup" to="signup" />} />
        <Route
          path={paths.forgotPassword}
          element={<RedirectToSignInPage key="forgot" to="forgot-password" />}
        />
        <Route path={paths.authCallback} element={<CallbackPage />} />
        <Route path={patterns.everythingElse} element={<EverythingElse />} />
      </Route>
    </Routes>
  );
}

function EverythingElse() {
  const { pathname } = useLocation();
  return isCreatorPath(pathname) ? <CreatorRoutes /> : <OtherRoutes />;
}
