import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { embedPage } from './embed-page.ts';

const place = { site: 'https://stoa.example.test', mediaUrl: 'https://media.example.test' };
const creator = {
  ...{ username: 'yuki', displayName: '由紀', bio: '東京で書いています。', profileImage: null },
} as PublicCreator;
const offering = {
  title: 'Twelve letters',
  description: '',
  price: 'R150',
  slug: 'letters',
  coverImage: null,
};

test('an embedded profile has the language of its texts where that is certain', () => {
  const page = embedPage(creator, [offering as PublicOffering], place);
  expect(page).toContain('<h1 dir="auto" lang="ja">由紀</h1>');
  expect(page).toContain('lang="ja">東京で書いています。</p>');
  expect(page).toContain('<strong dir="auto" lang="">Twelve letters</strong>');
});
