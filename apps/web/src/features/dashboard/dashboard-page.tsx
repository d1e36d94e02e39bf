import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useMe } from '../../auth/me.queries.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PlusIcon } from '../../ui/icons/editor-icons.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { ToastProvider } from '../../ui/overlays/toast.tsx';
import { NextSteps } from './next-steps.tsx';
import { PublicAddress } from './public-address.tsx';
import { ProfileSummary } from './profile-summary.tsx';
import { ProofNotice } from './proof-notice.tsx';
import { SavedToast } from './saved-toast.tsx';
import { Takedowns } from './takedowns.tsx';

const DeadLinks = lazyOptional(async () => (await import('./dead-links.tsx')).DeadLinks);

interface DashboardPageProps {
  offerings: ReactNode;
  numbers: ReactNode;
}

/** The creator's dashboard. The routes pass in the panels of other features. */
export default function DashboardPage({ offerings, numbers }: DashboardPageProps) {
  return (
    <ToastProvider>
      <Page title="Dashboard">
        <h1 className="text-5xl">Dashboard</h1>
        <SavedToast />
        <ProofNotice />
        <Takedowns />
        <DeadLinks />
        <NextSteps />
        <div className="mt-10 grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
          <aside aria-label="Your profile" className="grid gap-6">
            <Summary />
            <PublicAddress />
            <QuickActions />
          </aside>
          <div className="grid min-w-0 gap-8">
            {offerings}
            {numbers}
          </div>
        </div>
      </Page>
    </ToastProvider>
  );
}

function Summary() {
  const me = useMe();
  if (me.data) return <ProfileSummary creator={me.data} />;
  if (me.isError)
    return (
      <ErrorState
        title={messageFor(creatorErrorMessages.ownProfile, me.error)}
        reference={referenceOf(me.error)}
        onRetry={() => void me.refetch()}
      />
    );
  return (
    <div className="bg-surface border-line rounded-card grid justify-items-center gap-4 border p-7">
      <LoadingText>Loading your profile...</LoadingText>
      <Skeleton className="size-32 rounded-full" />
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

function QuickActions() {
  return (
    <section
      aria-labelledby="quick-actions"
      className="bg-surface border-line shadow-card rounded-card border p-7"
    >
      <h2 id="quick-actions" className="text-2xl">
        Quick Actions
      </h2>
      <Link to={paths.addOffering} className={`${buttonClass()} mt-5 w-full`}>
        <PlusIcon /> Add New Offering
      </Link>
    </section>
  );
}
