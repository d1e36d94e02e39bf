import type { PublicCreator, PublicOffering, VisitForm } from '@stoa/contracts';
import { matchPath } from 'react-router-dom';
import { creatorOfferingQuery, creatorOfferingsQuery, creatorQuery } from '../api/public/creator.queries.ts';
import { queryClient } from '../api/query-client.ts';
import { currentSession } from '../auth/session.ts';
import { patterns } from '../navigation/paths.ts';

// Runs after everything that a visitor sees, and delays nothing. The browser sends a beacon in the
// background, and no code reads the answer.

type Subject = Pick<VisitForm, 'creatorId' | 'offeringId'>;
type Shown = { readonly creator: PublicCreator; readonly offering?: PublicOffering };
type Privacy = Navigator & { globalPrivacyControl?: boolean };

/** The part of the router that this module needs. */
export interface Navigation {
  readonly state: { readonly location: { readonly pathname: string } };
  subscribe(listener: (state: Navigation['state']) => void): unknown;
}

const pollMs = 250;
/** Most visitors leave a page that has no data after this time. */
const giveUpAfterMs = 20_000;

/**
 * Reports displayed creator pages and followed payment links to the gateway. Bots and visitors with Do Not
 * Track are not counted.
 */
export function countVisits(navigation: Navigation): void {
  const { doNotTrack, globalPrivacyControl, webdriver } = navigator as Privacy;
  if (doNotTrack === '1' || globalPrivacyControl || webdriver) return;
  let referrer = hostOf(document.referrer);
  let counted: string | undefined;
  const arrive = ({ location: { pathname } }: Navigation['state']) => {
    if (pathname === counted) return;
    counted = pathname;
    void countView(pathname, () => {
      const host = referrer;
      referrer = undefined;
      return host;
    });
  };
  navigation.subscribe(arrive);
  arrive(navigation.state);
  for (const type of ['click', 'auxclick'])
    document.addEventListener(type, countClick, { capture: true, passive: true });
}

async function countView(pathname: string, takeReferrer: () => string | undefined): Promise<void> {
  if (!isCreatorsPage(pathname)) return;
  for (const since = Date.now(); Date.now() - since < giveUpAfterMs || document.hidden; await pause()) {
    if (location.pathname !== pathname) return;
    const shown = shownAt(pathname);
    // A tab in the background has shown nothing to the visitor yet.
    if (!shown || document.hidden || currentSession().status === 'unknown') continue;
    return send('view', subjectOf(shown), takeReferrer());
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs));

function countClick(event: Event): void {
  if (event.type === 'auxclick' && (event as MouseEvent).button !== 1) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link) return;
  const { creatorId, offeringId } = matchPath(patterns.download, location.pathname)?.params ?? {};
  if (creatorId && offeringId && link.hasAttribute('download'))
    return send('download', { creatorId, offeringId });
  const shown = shownAt(location.pathname);
  if (shown && link.relList.contains('nofollow')) countLink(link, shown);
}

function countLink(link: HTMLAnchorElement, { creator, offering }: Shown): void {
  const href = link.getAttribute('href');
  const text = link.textContent;
  const offered = offering ? [offering] : listOf(creator.username);
  const leading = offered.filter(({ paymentUrl }) => paymentUrl === href);
  // Two offerings may share a payment link. The link's text identifies the offering.
  const chosen = leading.find(({ title }) => text.includes(title)) ?? leading[0];
  if (chosen && text.startsWith('Access Now'))
    return send('access', { creatorId: creator.uid, offeringId: chosen.id });
  if (creator.paygates.some(({ url }) => url === href)) send('support', { creatorId: creator.uid });
}

const isCreatorsPage = (pathname: string) =>
  !matchPath(patterns.contactCreator, pathname) &&
  Boolean(matchPath(patterns.profile, pathname) ?? matchPath(patterns.offering, pathname));

/** The creator and offering of the page, once they are known. */
function shownAt(pathname: string): Shown | undefined {
  if (!isCreatorsPage(pathname)) return undefined;
  const { username, slug } = matchPath(patterns.offering, pathname)?.params ?? {};
  const name = username ?? matchPath(patterns.profile, pathname)?.params.username ?? '';
  const creator = queryClient.getQueryData(creatorQuery(name).queryKey);
  if (!creator || !slug) return creator && { creator };
  const offering = queryClient.getQueryData(creatorOfferingQuery(name, slug).queryKey);
  // An old address redirects to the current one, which is counted.
  return offering?.slug === slug ? { creator, offering } : undefined;
}

function listOf(username: string): readonly PublicOffering[] {
  return queryClient.getQueryData(creatorOfferingsQuery(username).queryKey)?.items ?? [];
}

const subjectOf = ({ creator, offering }: Shown): Subject => ({
  creatorId: creator.uid,
  ...(offering && { offeringId: offering.id }),
});

function send(kind: VisitForm['kind'], subject: Subject, referrer?: string): void {
  const session = currentSession();
  // Until the session is known, the visitor may be the owner.
  if (session.status === 'unknown') return;
  if (session.status === 'signed-in' && session.uid === subject.creatorId) return;
  try {
    const visit: VisitForm = { id: crypto.randomUUID(), kind, ...subject, ...(referrer && { referrer }) };
    navigator.sendBeacon('/api/visits', new Blob([JSON.stringify(visit)], { type: 'application/json' }));
  } catch {
    // A browser that cannot send is not counted.
  }
}

/** The host name of the site that linked here, if it is another site. */
function hostOf(address: string): string | undefined {
  const { host, hostname } = URL.parse(address) ?? {};
  return host !== location.host && hostname && /^[a-z0-9_][a-z0-9._-]*$/.test(hostname)
    ? hostname
    : undefined;
}
