import { lazy } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { isCreatorPath, paths, patterns } from './paths.ts';

const HomePage = lazy(() => import('./features/home/home-page.tsx'));
const AboutPage = lazy(() => import('./features/about/about-page.tsx'));
const BrowsePage = lazy(() => import('./features/browse/browse-page.tsx'));
const ProfilePage = lazy(() => import('./features/profile/profile-page.tsx'));
const OfferingPage = lazy(() => import('./features/profile/offering-page.tsx'));
const CreatorContactPage = lazy(() => import('./features/contact/creator-contact-page.tsx'));
const ContactPage = lazy(() => import('./features/contact/contact-page.tsx'));
const PrivacyPage = lazy(() => import('./features/legal/privacy-page.tsx'));
const TermsPage = lazy(() => import('./features/legal/terms-page.tsx'));
const GuidelinesPage = lazy(() => import('./features/legal/guidelines-page.tsx'));
const HelpPage = lazy(() => import('./features/legal/help-page.tsx'));
const RedirectToSignInPage = lazy(() => import('./features/sign-in/redirect-to-sign-in-page.tsx'));
const CallbackPage = lazy(() => import('./features/sign-in/callback-page.tsx'));
const CreatorRoutes = lazy(() => import('./creator-routes.tsx'));
const OtherRoutes = lazy(() => import('./other-routes.tsx'));

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout waiting={<PageWaiting />} />}>
        <Route path={paths.home} element={<HomePage />} />
        <Route path={paths.about} element={<AboutPage />} />
        <Route path={paths.browse} element={<BrowsePage />} />
        <Route path={patterns.profile} element={<ProfilePage />} />
        <Route path={patterns.offering} element={<OfferingPage />} />
        <Route path={patterns.contactCreator} element={<CreatorContactPage />} />
        <Route path={paths.contact} element={<ContactPage />} />
        <Route path={paths.privacy} element={<PrivacyPage />} />
        <Route path={paths.terms} element={<TermsPage />} />
        <Route path={patterns.termsAlias} element={<Navigate to={paths.terms} replace />} />
        <Route path={paths.guidelines} element={<GuidelinesPage />} />
        <Route path={paths.help} element={<HelpPage />} />
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
