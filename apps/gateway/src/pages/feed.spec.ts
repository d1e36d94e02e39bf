import { makePublicCreator } from '@stoa/testing';
import type { PublicOffering } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { profileFeed } from './feed.ts';

const place = { site: 'https://stoa.example.test', mediaUrl: 'https://media.example.test' };
const creator = makePublicCreator({ username: 'ama', displayName: 'Ama & <co>', bio: 'Ink.\u0007' });
const offering = (changes: Partial<PublicOffering>): PublicOffering => ({
  ...{ id: '0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22', creatorId: creator.uid, title: 'Letters' },
  ...{ description: 'One a month.', price: 'R150', type: 'eBook', paymentUrl: 'https://pay.example.test/' },
  ...{ coverImage: null, state: 'published', slug: 'letters', createdAt: '2026-03-01T00:00:00.000Z' },
  ...{ publishedAt: '2026-03-01T00:00:00.000Z', schedule: null, seats: null },
  ...changes,
});

test('the feed of a profile has its offerings, the newest first', () => {
  const publishedAt = '2026-01-01T00:00:00.000Z';
  const older = offering({ title: 'Older', slug: 'older', createdAt: publishedAt, publishedAt });
  const feed = profileFeed(creator, [older, offering({})], place);
  expect(feed.match(/<title>[^<]*<\/title>/g)).toEqual([
    '<title>Ama &amp; &lt;co&gt; on Stoa</title>',
    '<title>Letters</title>',
    '<title>Older</title>',
  ]);
  expect(feed).toContain('<updated>2026-03-01T00:00:00.000Z</updated>\n<author>');
  expect(feed).toContain('href="https://stoa.example.test/profile/ama/feed.xml"/>');
  expect(feed).toContain('href="https://stoa.example.test/profile/ama/letters"/>');
  expect(feed).toContain('<summary>R150\n\nOne a month.</summary>');
});

test('the feed dates a draft of before by its publication', () => {
  const publishedAt = '2026-05-01T00:00:00.000Z';
  const drafted = offering({ title: 'Drafted', createdAt: '2025-01-01T00:00:00.000Z', publishedAt });
  const feed = profileFeed(creator, [offering({}), drafted], place);
  expect(feed.indexOf('<title>Drafted')).toBeLessThan(feed.indexOf('<title>Letters'));
  expect(feed).toContain(`<updated>${publishedAt}</updated>\n<published>${publishedAt}</published>`);
  expect(feed).toContain(`<updated>${publishedAt}</updated>\n<author>`);
});

test('the feed tells when a workshop takes place, by its own clocks', () => {
  const span = { startsAt: '2030-12-03T16:00:00.000Z', endsAt: '2030-12-03T18:00:00.000Z', ended: false };
  const text = 'Tuesday, 3 December 2030, 11:00–13:00 (America/New York)';
  const schedule = { ...span, timeZone: 'America/New_York', text };
  const feed = profileFeed(creator, [offering({ schedule })], place);
  expect(feed).toContain(`<summary>R150\n\n${text}\n\nOne a month.</summary>`);
});

test('the feed has no letter that XML has no place for', () => {
  const feed = profileFeed(creator, [offering({ title: 'A\u0000B\ufffe😀' })], place);
  expect(feed).toContain('<subtitle>Ink.</subtitle>');
  expect(feed).toContain('<title>AB😀</title>');
});

test('a creator without offerings has an empty feed', () => {
  expect(profileFeed(creator, [], place)).toContain(`<updated>${creator.createdAt}</updated>`);
});

test('the words of a creator are in the language that their letters prove', () => {
  const japanese = offering({ title: '東京日記', description: '東京で**毎日**書いています。' });
  const feed = profileFeed({ ...creator, bio: 'Пишу стихи и эссе' }, [japanese], place);
  expect(feed).toContain('<subtitle xml:lang="ru">');
  expect(feed).toContain('<title xml:lang="ja">東京日記</title>');
  expect(feed).toContain('<summary xml:lang="ja">R150\n\n東京で毎日書いています。</summary>');
});
