import { type ComponentType, lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { RequireUser } from './auth/require-user.tsx';
import { Layout } from './layout/layout.tsx';
import { PageWaiting } from './layout/page-waiting.tsx';
import { paths, patterns } from './paths.ts';

function page<N extends string>(load: () => Promise<Record<N, ComponentType>>, name: N) {
  return lazy(async () => ({ default: (await load())[name] }));
}

const HomePage = page(() => import('./features/home/home-page.tsx'), 'HomePage');
const AboutPage = page(() => import('./features/about/about-page.tsx'), 'AboutPage');
const BrowsePage = page(() => import('./features/browse/browse-page.tsx'), 'BrowsePage');
const ProfilePage = page(() => import('./features/profile/profile-page.tsx'), 'ProfilePage');
const ContactPage = page(() => import('./features/contact/contact-page.tsx'), 'ContactPage');
const PrivacyPage = page(() => import('./features/legal/privacy-page.tsx'), 'PrivacyPage');
const TermsPage = page(() => import('./features/legal/terms-page.tsx'), 'TermsPage');
const GuidelinesPage = page(() => import('./features/legal/guidelines-page.tsx'), 'GuidelinesPage');
const HelpPage = page(() => import('./features/legal/help-page.tsx'), 'HelpPage');
const HandOverPage = lazy(async () => ({
  default: (await import('./features/sign-in/hand-over-page.tsx')).HandOverPage,
}));
const SignInFailedPage = page(() => import('./features/sign-in/sign-in-failed-page.tsx'), 'SignInFailedPage');
const DashboardPage = lazy(async () => ({
  default: (await import('./features/dashboard/dashboard-page.tsx')).DashboardPage,
}));
const OfferingsPanel = page(() => import('./features/offerings/offerings-panel.tsx'), 'OfferingsPanel');
const AddOfferingPage = page(() => import('./features/offerings/add-offering-page.tsx'), 'AddOfferingPage');
const EditOfferingPage = page(
  () => import('./features/offerings/edit-offering-page.tsx'),
  'EditOfferingPage',
);
const ProfileEditorPage = page(
  () => import('./features/profile-editor/profile-editor-page.tsx'),
  'ProfileEditorPage',
);
const DownloadPage = page(() => import('./features/download/download-page.tsx'), 'DownloadPage');
const NotFoundPage = page(() => import('./features/not-found/not-found-page.tsx'), 'NotFoundPage');

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout waiting={<PageWaiting />} />}>
        <Route path={paths.home} element={<HomePage />} />
        <Route path={paths.about} element={<AboutPage />} />
        <Route path={paths.browse} element={<BrowsePage />} />
        <Route path={patterns.profile} element={<ProfilePage />} />
        <Route path={paths.contact} element={<ContactPage />} />
        <Route path={paths.privacy} element={<PrivacyPage />} />
        <Route path={paths.terms} element={<TermsPage />} />
        <Route path={patterns.termsAlias} element={<Navigate to={paths.terms} replace />} />
        <Route path={paths.guidelines} element={<GuidelinesPage />} />
        <Route path={paths.help} element={<HelpPage />} />
        <Route path={paths.login} element={<HandOverPage key="login" to="login" />} />
        <Route path={paths.signup} element={<HandOverPage key="signup" to="signup" />} />
        <Route path={paths.forgotPassword} element={<HandOverPage key="forgot" to="forgot-password" />} />
        <Route path={paths.authCallback} element={<SignInFailedPage />} />
        <Route element={<RequireUser />}>
          <Route path={paths.createProfile} element={<ProfileEditorPage />} />
          <Route path={paths.editProfile} element={<ProfileEditorPage />} />
          <Route path={paths.dashboard} element={<DashboardPage offerings={<OfferingsPanel />} />} />
          <Route path={paths.addOffering} element={<AddOfferingPage />} />
          <Route path={patterns.editOffering} element={<EditOfferingPage />} />
          <Route path={patterns.download} element={<DownloadPage />} />
        </Route>
        <Route path={patterns.everythingElse} element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
