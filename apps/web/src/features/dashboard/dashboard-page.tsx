import { roomPaths } from '@stoa/contracts/preview-pages';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useMe } from '../../auth/me.queries.ts';
import { Page } from '../../layout/page.tsx';
import { RoomTabs } from '../../layout/room-tabs.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PlusIcon, ReceiptIcon } from '../../ui/icons/editor-icons.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { ToastProvider } from '../../ui/overlays/toast.tsx';
import { DeadLinks } from './dead-links.tsx';
import { type Notice, useEarlyNotices } from './early-notices.ts';
import { NextSteps } from './next-steps.tsx';
import { PublicAddress } from './public-address.tsx';
import { ProfileSummary } from './profile-summary.tsx';
import { ProofNotice } from './proof-notice.tsx';
import { SavedToast } from './saved-toast.tsx';
import { Takedowns } from './takedowns.tsx';
import { WeekTiles } from './week-tiles.tsx';

/** The creator's dashboard. The routes pass in the panel of another feature. */
export default function DashboardPage({ offerings }: { offerings: ReactNode }) {
  const early = useEarlyNotices();
  return (
    <ToastProvider>
      <Page title="Dashboard" room>
        <h1 className="sr-only">Dashboard</h1>
        <SavedToast />
        {/* As high as the window, so that the footer stays below it. */}
        <div className="grid min-h-dvh grid-cols-1 content-start gap-3.5 sm:gap-6">
          <div className="bg-surface border-line shadow-card rounded-card border">
            <div className="flex items-start gap-6 p-4 pb-1 sm:p-5 sm:pb-2">
              <aside aria-label="Your profile" className="min-w-0 flex-1">
                <Summary />
              </aside>
              <QuickActions />
            </div>
            <PublicAddress />
          </div>
          {early && (
            <>
              <Notices shows={(notice) => early.has(notice)} />
              <WeekTiles />
              {offerings}
              <Notices shows={(notice) => !early.has(notice)} />
            </>
          )}
        </div>
        <RoomTabs />
      </Page>
    </ToastProvider>
  );
}

function Notices({ shows }: { shows: (notice: Notice) => boolean }) {
  return (
    <>
      {shows('takedowns') && <Takedowns />}
      {shows('deadLinks') && <DeadLinks />}
      {shows('proof') && <ProofNotice />}
      {shows('steps') && <NextSteps />}
    </>
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
    <div className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      <Skeleton className="row-span-3 size-16 sm:size-20" />
      <LoadingText>Loading your profile...</LoadingText>
      <Skeleton className="h-6 max-sm:col-span-2" />
    </div>
  );
}

/** On a phone the rooms at the bottom have these links. */
function QuickActions() {
  return (
    <section aria-labelledby="quick-actions" className="shrink-0 max-sm:hidden">
      <h2 id="quick-actions" className="text-muted font-sans text-sm font-medium">
        Quick Actions
      </h2>
      <div className="mt-1.5 flex flex-col gap-2 lg:flex-row">
        <Link to={paths.addOffering} className={buttonClass()}>
          <PlusIcon /> Add New Offering
        </Link>
        <Link to={roomPaths.sales} className={buttonClass('secondary')}>
          <ReceiptIcon /> Sales
        </Link>
      </div>
    </section>
  );
}
