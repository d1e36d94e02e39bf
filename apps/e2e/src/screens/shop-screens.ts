import { expect } from '@playwright/test';
import { type Delivery, openPage, type Screen, visitorScreen, type World } from './screen.ts';

type Slug = keyof World['seller']['slugs'];
type Kind = keyof World['seller']['deliveries'];

const profile = '/profile/{username}';
const offering = `${profile}/{slug}`;

const ofSeller = (name: string, slug: Slug) =>
  visitorScreen(name, offering, ({ seller: { username, slugs } }) => `/profile/${username}/${slugs[slug]}`);

const download = (name: string, kind: Kind): Screen => ({
  name,
  viewer: 'visitor',
  address: '/download/{creatorId}/{offeringId}#key={key}',
  show: async (page, { seller }) => {
    const { page: path, key }: Delivery = seller.deliveries[kind];
    // Leaves the page first, because a change of only the fragment does not load the page again.
    await page.goto('about:blank');
    await openPage(page, `${path}#key=${key}`);
    await expect(page.getByText('Keep this link: it opens your download again.')).toBeVisible();
  },
});

/** Public pages and download pages of the seller, and of the creator who writes in a right-to-left script. */
export const shopScreens: readonly Screen[] = [
  visitorScreen('profile-list', profile, ({ seller }) => `/profile/${seller.username}`),
  visitorScreen('profile-right-to-left', profile, ({ rightToLeft }) => `/profile/${rightToLeft.username}`),
  visitorScreen(
    'offering-right-to-left',
    offering,
    ({ rightToLeft: { username, slug } }) => `/profile/${username}/${slug}`,
  ),
  ofSeller('offering-workshop', 'workshop'),
  ofSeller('offering-workshop-ended', 'ended'),
  ofSeller('offering-sold-out', 'soldOut'),
  visitorScreen('embed', '/embed/{username}', ({ seller }) => `/embed/${seller.username}`),
  // Must not be the last screen, because a log-in page after it would still mention the link.
  {
    name: 'download-lost-key',
    viewer: 'visitor',
    address: '/download/{creatorId}/{offeringId}',
    show: async (page, { delivery }) => {
      await page.goto(delivery.page);
      await expect(page.getByRole('heading', { name: 'Your link is not whole' })).toBeVisible();
    },
  },
  download('download-several', 'several'),
  download('download-link', 'link'),
  download('download-text', 'text'),
  download('download-workshop', 'workshop'),
];
