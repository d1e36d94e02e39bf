import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { expect, test } from 'vitest';
import { html, profileHead, renderHead } from './page-head.ts';

const hostile = `"><script>alert('$&')</script>`;

const creator: PublicCreator = {
  uid: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  username: 'ama-writes',
  displayName: 'Ama',
  contactBy: 'email',
  email: 'ama@example.test',
  bio: 'Poems about rivers.',
  profileImage: null,
  headerImage: null,
  paygates: [],
  socialLinks: { youtube: 'https://youtube.example.test/ama', tiktok: null, instagram: null },
  niches: ['Poet'],
  offeringCount: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const offering = {
  title: 'Letters',
  description: 'Twelve.',
  price: '€12',
  paymentUrl: 'https://pay.example.test/',
};
const where = { site: 'https://stoa.example.test', mediaUrl: 'https://media.example.test' };

test('a profile says who it is, where it lives and what it offers', () => {
  const head = profileHead(creator, [offering as PublicOffering], where);
  const rendered = renderHead(head, where.site).text;
  expect(rendered).toContain('<title>Ama (@ama-writes) · Stoa</title>');
  expect(rendered).toContain('href="https://stoa.example.test/profile/ama-writes"');
  expect(rendered).toContain('"sameAs":["https://youtube.example.test/ama"]');
  expect(head.content?.text).toContain('Poems about rivers.');
  expect(head.content?.text).toContain('href="https://pay.example.test/"');
});

test('a hostile name closes no element and no attribute', () => {
  const head = profileHead({ ...creator, displayName: hostile, bio: hostile }, [], where);
  const all = `${renderHead(head, where.site).text}${head.content?.text}`;
  expect(all).not.toContain('<script>alert');
  expect(all).not.toContain('</script>alert');
  expect(all.match(/<\/script>/g)).toHaveLength(1);
});

test('values are escaped, HTML is not escaped twice', () => {
  const item = html`<b>${'a&b'}</b>`;
  expect(html`<p>${item}${[item, item]}</p>`.text).toBe(`<p>${'<b>a&amp;b</b>'.repeat(3)}</p>`);
});

test('a page that is not for search engines says so and names no address to keep', () => {
  const rendered = renderHead(
    { title: 'x', description: 'y', path: '/dashboard', indexed: false },
    where.site,
  ).text;
  expect(rendered).toContain('content="noindex"');
  expect(rendered).not.toContain('canonical');
});
