import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { aPublicCreator } from '@stoa/testing';
import { expect, test } from '@jest/globals';
import { profileContent } from './profile-content.ts';

const picture = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  path: 'profile_pictures/p',
  widths: [1200, 96, 640],
  width: 1200,
  height: 800,
  color: '#aabbcc',
};
const creator = aPublicCreator({
  bio: 'Poems\nabout rivers.',
  profileImage: picture,
  paygates: [{ name: 'Till', url: 'https://till.example.test/?a=1&b=2' }],
  socialLinks: { youtube: 'https://www.youtube.com/ama', tiktok: null, instagram: null },
  niches: ['Poet', 'Coach'],
  offeringCount: 1,
});
const offering = {
  title: 'Letters',
  description: 'Twelve.',
  price: '€12',
  paymentUrl: 'https://pay.example.test/',
  coverImage: { ...picture, path: 'offering_images/c' },
  slug: 'letters',
} as PublicOffering;
const media = 'https://media.example.test';
const none = 'This creator has not added any offerings yet.';

const content = (changes: Partial<PublicCreator> = {}, offerings?: PublicOffering[]) =>
  profileContent({ ...creator, ...changes }, offerings, media).text;

test('everything that a profile has is there: picture, niches, bio, links and offerings', () => {
  const all = content({}, [offering]);
  expect(all).toContain(`src="${media}/profile_pictures/p/640.webp"`);
  expect(all).toContain('alt="Ama"');
  for (const niche of ['Poet', 'Coach']) expect(all).toContain(`<li>${niche}</li>`);
  expect(all).toContain('Poems\nabout rivers.');
  const away = 'rel="noopener noreferrer nofollow"';
  expect(all).toContain(`<a href="https://www.youtube.com/ama" ${away} dir="auto">YouTube</a>`);
  expect(all).toContain(`<a href="https://till.example.test/?a=1&amp;b=2" ${away} dir="auto">Till</a>`);
  expect(all).toContain(`<a href="https://pay.example.test/" ${away} dir="auto">Access Now</a>`);
  expect(all).toContain(`src="${media}/offering_images/c/640.webp"`);
  expect(all).not.toContain('TikTok');
  expect(all).not.toContain(none);
});

test('no offerings is said, offerings that cannot be read are not', () => {
  expect(content({}, [])).toContain(none);
  expect(content({}, undefined)).not.toMatch(/offerings/i);
});

test('an address is written only where it is public; otherwise the way to the form is', () => {
  expect(content()).toContain('<a href="mailto:ama@example.test">Contact Me</a>');
  const hidden = content({ contactBy: 'form', email: null });
  expect(hidden).not.toContain('mailto:');
  expect(hidden).toContain('<a href="/profile/ama-writes/contact">Contact Me</a>');
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '//evil.example.test',
  'JaVaScRiPt:x',
])('what is no web address is no link: %s', (url) => {
  const all = content(
    { paygates: [{ name: 'Till', url }], socialLinks: { youtube: url, tiktok: url, instagram: url } },
    [{ ...offering, paymentUrl: url }],
  );
  expect(all.match(/href="[^"]*"/g)).toEqual([
    'href="mailto:ama@example.test"',
    `href="/profile/${creator.username}/letters"`,
  ]);
  expect(all).toContain('Till');
});

test('a link of an older record that leads to no page of its network is not shown as one', () => {
  const all = content({
    socialLinks: {
      youtube: 'https://youtube.com.evil.example/@ama',
      tiktok: 'https://www.tiktok.com/@ama',
      instagram: null,
    },
  });
  expect(all).not.toContain('evil.example');
  expect(all).toContain('https://www.tiktok.com/@ama');
});

test('hostile names and links close no element and no attribute', () => {
  const hostile = `"><script>alert('$&')</script></noscript>`;
  const all = content(
    {
      displayName: hostile,
      bio: hostile,
      paygates: [{ name: hostile, url: `https://x.example.test/${hostile}` }],
      socialLinks: { youtube: `https://youtube.com/${hostile}`, tiktok: null, instagram: null },
    },
    [
      {
        ...offering,
        title: hostile,
        description: hostile,
        price: hostile,
        paymentUrl: `https://y.example.test/${hostile}`,
      },
    ],
  );
  const elements = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);
  expect(elements(all)).toEqual(elements(content({}, [offering])));
});
