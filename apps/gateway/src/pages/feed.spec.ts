import { makePublicCreator, makePublicOffering } from '@stoa/testing';
import type { PublicOffering } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { profileFeed } from './feed.ts';

const place = { site: 'https://stoa.example.test', mediaUrl: 'https://media.example.test' };
const creator = makePublicCreator({ username: 'ama', displayName: 'Ama & <co>', bio: 'Ink.\u0007' });
const march = '2026-03-01T00:00:00.000Z';
const offering = (changes: Partial<PublicOffering>): PublicOffering =>
  makePublicOffering({ creatorId: creator.uid, createdAt: march, publishedAt: march, ...changes });

test('the feed of a profile lists its offerings, the newest first [gateway-5]', () => {
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

test('the feed dates a former draft by its publication [gateway-6]', () => {
  const publishedAt = '2026-05-01T00:00:00.000Z';
  const drafted = offering({ title: 'Drafted', createdAt: '2025-01-01T00:00:00.000Z', publishedAt });
  const feed = profileFeed(creator, [offering({}), drafted], place);
  expect(feed.indexOf('<title>Drafted')).toBeLessThan(feed.indexOf('<title>Letters'));
  expect(feed).toContain(`<updated>${publishedAt}</updated>\n<published>${publishedAt}</published>`);
  expect(feed).toContain(`<updated>${publishedAt}</updated>\n<author>`);
});

test('the feed has the date of a workshop in its time zone', () => {
  const span = { startsAt: '2030-12-03T16:00:00.000Z', endsAt: '2030-12-03T18:00:00.000Z', ended: false };
  const text = 'Tuesday, 3 December 2030, 11:00–13:00 (America/New York)';
  const schedule = { ...span, timeZone: 'America/New_York', text };
  const feed = profileFeed(creator, [offering({ schedule })], place);
  expect(feed).toContain(`<summary>R150\n\n${text}\n\nOne a month.</summary>`);
});

test('the feed contains no character that XML forbids', () => {
  const feed = profileFeed(creator, [offering({ title: 'A\u0000B\ufffe😀' })], place);
  expect(feed).toContain('<subtitle>Ink.</subtitle>');
  expect(feed).toContain('<title>AB😀</title>');
});

test('a creator without offerings has an empty feed', () => {
  expect(profileFeed(creator, [], place)).toContain(`<updated>${creator.createdAt}</updated>`);
});

test("a creator's texts have the language that their letters prove [gateway-7]", () => {
  const japanese = offering({ title: '東京日記', description: '東京で**毎日**書いています。' });
  const feed = profileFeed({ ...creator, bio: 'Пишу стихи и эссе' }, [japanese], place);
  expect(feed).toContain('<subtitle xml:lang="ru">');
  expect(feed).toContain('<title xml:lang="ja">東京日記</title>');
  expect(feed).toContain('<summary xml:lang="ja">R150\n\n東京で毎日書いています。</summary>');
});
