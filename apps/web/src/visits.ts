import type { PublicCreator, PublicOffering, PublicOfferingList, VisitForm } from '@stoa/contracts';
import { matchPath } from 'react-router-dom';
import { fill } from './api/request.ts';
import { knownAnswer } from './api/resource.ts';
import { currentSession } from './auth/session.ts';
import { patterns } from './paths.ts';

// Comes after everything that a visitor sees. What it does holds up nothing: the browser sends a
// beacon by itself, and nobody looks at the answer.

type Subject = Pick<VisitForm, 'creatorId' | 'offeringId'>;
type Shown = { readonly creator: PublicCreator; readonly offering?: PublicOffering };
type Privacy = Navigator & { globalPrivacyControl?: boolean };

/** The router, as far as it is needed here. */
export interface Navigation {
  readonly state: { readonly location: { readonly pathname: string } };
  subscribe(listener: (state: Navigation['state']) => void): unknown;
}

const everyMs = 250;
/** A page that has not got its data by then is left by most. */
const patienceMs = 20_000;

/** Tells the gateway when a page of a creator is shown and a way to pay is followed; not of programs and who has asked not to be counted. */
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
  for (const since = Date.now(); Date.now() - since < patienceMs || document.hidden; await pause()) {
    if (location.pathname !== pathname) return;
    const shown = shownAt(pathname);
    // In a tab that nobody has looked at yet nothing was seen.
    if (!shown || document.hidden || currentSession().status === 'unknown') continue;
    return send('view', subjectOf(shown), takeReferrer());
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, everyMs));

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
  // Two offerings may be paid at one address; the link says which one it is.
  const chosen = leading.find(({ title }) => text.includes(title)) ?? leading[0];
  if (chosen && text.startsWith('Access Now'))
    return send('access', { creatorId: creator.uid, offeringId: chosen.id });
  if (creator.paygates.some(({ url }) => url === href)) send('support', { creatorId: creator.uid });
}

const isCreatorsPage = (pathname: string) =>
  !matchPath(patterns.contactCreator, pathname) &&
  Boolean(matchPath(patterns.profile, pathname) ?? matchPath(patterns.offering, pathname));

/** Whose page is shown there, and which offering, once that is known. */
function shownAt(pathname: string): Shown | undefined {
  if (!isCreatorsPage(pathname)) return undefined;
  const { username, slug } = matchPath(patterns.offering, pathname)?.params ?? {};
  const params = { slug, username: username ?? matchPath(patterns.profile, pathname)?.params.username };
  const creator = knownAnswer(fill('/api/creators/{username}', params)) as PublicCreator | undefined;
  if (!creator || !slug) return creator && { creator };
  const address = fill('/api/creators/{username}/offerings/{slug}', params);
  const offering = knownAnswer(address) as PublicOffering | undefined;
  // An old address leads on to the one of now.
  return offering?.slug === slug ? { creator, offering } : undefined;
}

function listOf(username: string): readonly PublicOffering[] {
  const address = fill('/api/creators/{username}/offerings', { username });
  return (knownAnswer(address) as PublicOfferingList | undefined)?.items ?? [];
}

const subjectOf = ({ creator, offering }: Shown): Subject => ({
  creatorId: creator.uid,
  ...(offering && { offeringId: offering.id }),
});

function send(kind: VisitForm['kind'], subject: Subject, referrer?: string): void {
  const session = currentSession();
  // Until it is known who is here it may be the owner.
  if (session.status === 'unknown') return;
  if (session.status === 'signed-in' && session.uid === subject.creatorId) return;
  try {
    const visit: VisitForm = { id: crypto.randomUUID(), kind, ...subject, ...(referrer && { referrer }) };
    navigator.sendBeacon('/api/visits', new Blob([JSON.stringify(visit)], { type: 'application/json' }));
  } catch {
    // A browser that cannot is not counted.
  }
}

/** The host that led here from elsewhere, as far as it is a name. */
function hostOf(address: string): string | undefined {
  const { host, hostname } = URL.parse(address) ?? {};
  return host !== location.host && hostname && /^[a-z0-9_][a-z0-9._-]*$/.test(hostname)
    ? hostname
    : undefined;
}
