import { PublicCreator } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { reviewDisplay, reviewedLinks } from './profile-fields.ts';

test('every public field has a display for operators', () => {
  expect(Object.keys(reviewDisplay).toSorted()).toEqual(Object.keys(PublicCreator.shape).toSorted());
});

test('operators see every address of a profile once', () => {
  const profile = {
    paygates: [{ name: 'https', url: 'https://pay.example.com/' }],
    socialLinks: { youtube: 'https://youtube.com/@ama', tiktok: null, instagram: null },
    links: [
      { label: 'Pay me here', url: 'https://evil.example.com/pay', network: null },
      { label: 'Again', url: 'https://pay.example.com/', network: 'youtube' },
    ],
  };
  expect(reviewedLinks(profile)).toEqual([
    'https://pay.example.com/',
    'https://evil.example.com/pay',
    'https://youtube.com/@ama',
  ]);
});
