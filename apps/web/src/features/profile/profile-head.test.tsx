import { act, render, screen, within } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { beginSession, dropSession } from '../../auth/session.ts';
import { makePublicCreator } from '../../testing/creators.ts';
import { renderAt } from '../../testing/render.tsx';
import { HeaderPicture, ProfileHead } from './profile-head.tsx';

const creator = makePublicCreator({ username: 'ama', displayName: 'Ama' });

test("a network's icon appears only if its link leads to that network [web-76]", () => {
  const socialLinks = {
    youtube: 'https://youtube.com.evil.example/@ama',
    tiktok: 'javascript://tiktok.com/%0aalert(1)',
    instagram: 'https://www.instagram.com/ama',
  };
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, socialLinks }} />);
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: /opens in a new tab/ });
  expect(links.map(({ href }) => href)).toEqual(['https://www.instagram.com/ama']);
});

test('name and bio follow the direction of their own script [web-77]', () => {
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, displayName: 'أمل', bio: 'أنا شاعر.' }} />);
  for (const text of ['أمل', 'أنا شاعر.']) expect(screen.getByText(text).dir).toBe('auto');
});

test('only the owner sees the link to the editor [web-78]', () => {
  const edit = () => screen.queryByRole('link', { name: 'Edit Profile' });
  const { unmount } = renderAt('/profile/ama', <ProfileHead creator={creator} />);
  expect(edit()).toBeNull();
  act(() => beginSession(crypto.randomUUID()));
  expect(edit()).toBeNull();
  act(() => beginSession(creator.uid));
  expect(edit()?.getAttribute('href')).toBe('/dashboard/edit-profile');
  unmount();
  dropSession();
});

test('a header is decorative, in AVIF with a WebP fallback, and has no placeholder', () => {
  const { container, rerender } = render(<HeaderPicture picture={null} />);
  expect(container.innerHTML).toBe('');
  const header = { id: '1', path: 'header', widths: [480, 800], width: 800, height: 267, color: '#aabbcc' };
  rerender(<HeaderPicture picture={header} />);
  const image = container.querySelector('img');
  const said = ['alt', 'width', 'height', 'loading', 'src'].map((name) => image?.getAttribute(name));
  expect(said).toEqual(['', '800', '267', 'eager', '/header/800.webp']);
  const sets = Array.from(container.querySelectorAll('source'), ({ srcset }) => srcset);
  expect(sets).toEqual(['/header/480.avif 480w, /header/800.avif 800w']);
});

test('own links are in order, with the icon of the network that they lead to [web-79]', () => {
  const links = [
    { label: 'كتبي', url: 'https://ama.example.net/books', network: null },
    { label: 'GitHub', url: 'https://github.com/ama', network: 'github' },
    { label: 'GitHub', url: 'https://github.com.evil.net/ama', network: null },
  ];
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, links }} />);
  const list = within(screen.getByRole('list', { name: 'Links of Ama' }));
  const shown = list.getAllByRole<HTMLAnchorElement>('link');
  expect(shown.map(({ href }) => href)).toEqual(links.map(({ url }) => url));
  const icons = shown.map((link) => link.querySelector<HTMLElement>('[data-network]')?.dataset.network);
  expect(icons).toEqual([undefined, 'github', undefined]);
  for (const { target, rel } of shown)
    expect([target, rel]).toEqual(['_blank', 'noopener noreferrer nofollow']);
  expect(list.getByText('كتبي').dir).toBe('auto');
  // The host is shown too, whatever the label is.
  expect(list.getByText('github.com.evil.net')).toBeTruthy();
});

test('a profile without own links has no list of them', () => {
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, links: [] }} />);
  expect(screen.queryByRole('list', { name: 'Links of Ama' })).toBeNull();
});
